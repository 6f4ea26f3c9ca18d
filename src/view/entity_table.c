/* entity_table.c - see entity_table.h. */
#include "view/entity_table.h"

#include <stddef.h>

const struct entity_word entity_words[] = {
    {"id", "string", NULL, "^[1-9][0-9]*$"},
    {"text", "string", NULL, NULL},
    {"word", "string", NULL, "."}, /* not empty */
    {"html", "string", NULL, NULL},
    {"url", "string", "uri", "^https?://"},
    {"date", "string", "date-time", "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$"},
    {"day", "string", "date", "^\\d{4}-\\d\\d-\\d\\d$"},
    {"digits", "string", NULL, "^[0-9]+$"},
    {"number", "integer", NULL, NULL},
    {"bool", "boolean", NULL, NULL},
    {"any", NULL, NULL, NULL},
    {0},
};

/* clang-format off */
const struct entity_shape entity_shapes[] = {
    {"Account", NULL,
     "id:id username:word acct:word url:url uri:url display_name:text note:html avatar:url "
     "avatar_static:url header:url header_static:url locked:bool bot:bool group:bool discoverable:bool? "
     "indexable:bool emojis:[any] fields:[Field] roles:[any] created_at:date last_status_at:day? "
     "statuses_count:number followers_count:number following_count:number suspended:~bool limited:~bool "
     "moved:~Account? noindex:~bool hide_collections:bool mute_expires_at:~date?"},
    {"CredentialAccount", "Account",
     "source:Source role:Role"},
    {"Status", NULL,
     "id:id uri:url created_at:date account:Account content:html visibility:public|unlisted|private|direct "
     "sensitive:bool spoiler_text:text media_attachments:[any] mentions:[Mention] tags:[StatusTag] "
     "emojis:[any] reblogs_count:number favourites_count:number replies_count:number quotes_count:number "
     "url:url? in_reply_to_id:id? in_reply_to_account_id:id? reblog:Status? poll:any? card:any? "
     "language:text? edited_at:date? application:Application? text:~text favourited:~bool reblogged:~bool "
     "muted:~bool bookmarked:~bool pinned:~bool filtered:~[FilterResult]"},
    {"StatusSource", NULL,
     "id:id text:text spoiler_text:text"},
    {"StatusEdit", NULL,
     "content:html spoiler_text:text sensitive:bool created_at:date account:Account "
     "media_attachments:[any] emojis:[any] poll:~any?"},
    {"Context", NULL,
     "ancestors:[Status] descendants:[Status]"},
    {"Relationship", NULL,
     "following:bool showing_reblogs:bool notifying:bool followed_by:bool blocking:bool blocked_by:bool "
     "muting:bool muting_notifications:bool requested:bool requested_by:bool domain_blocking:bool "
     "endorsed:bool id:id note:text languages:[word]? muting_expires_at:~date?"},
    {"Notification", NULL,
     "id:id type:mention|status|reblog|follow|follow_request|favourite|poll|update created_at:date "
     "account:Account status:~Status? group_key:word"},
    {"GroupedNotificationsResults", NULL,
     "accounts:[Account] partial_accounts:~[PartialAccountWithAvatar] statuses:[Status] "
     "notification_groups:[NotificationGroup]"},
    {"NotificationGroup", NULL,
     "group_key:word notifications_count:number "
     "type:mention|status|reblog|follow|follow_request|favourite|poll|update most_recent_notification_id:number "
     "page_min_id:~id page_max_id:~id latest_page_notification_at:~date sample_account_ids:[id] status_id:~id"},
    {"PartialAccountWithAvatar", NULL,
     "id:id acct:word url:url avatar:url avatar_static:url locked:bool bot:bool"},
    {"NotificationPolicy", NULL,
     "for_not_following:accept|filter|drop for_not_followers:accept|filter|drop for_new_accounts:accept|filter|drop "
     "for_private_mentions:accept|filter|drop for_limited_accounts:accept|filter|drop summary:NotificationSummary"},
    {"NotificationSummary", NULL,
     "pending_requests_count:number pending_notifications_count:number"},
    {"Retwis_Result", NULL,
     "id:id result:followed|unfollowed|requested|unchanged|self|unknown|refused"},
    {"Retwis_Common", NULL,
     "followers:Retwis_Shared known:Retwis_Shared following:Retwis_Shared"},
    {"Retwis_Shared", NULL,
     "count:number is_least:bool accounts:[Account]"},
    {"Retwis_Origin", NULL,
     "id:id reasons:[Retwis_Reason]"},
    {"Retwis_Reason", NULL,
     "kind:own|following|boost|tag account:~Account tag:~word"},
    {"Retwis_Site", NULL,
     "users:number posts:number active_month:number version:word"},
    {"Suggestion", NULL,
     "source:staff|past_interactions|global sources:[word] account:Account"},
    {"Tag", NULL,
     "id:~word name:word url:url history:[TagDay] following:~bool featuring:~bool"},
    {"FeaturedTag", NULL,
     "id:id name:word url:url statuses_count:digits last_status_at:day?"},
    {"Search", NULL,
     "accounts:[Account] statuses:[Status] hashtags:[Tag]"},
    {"Token", NULL,
     "access_token:word token_type:word scope:word created_at:number"},
    {"Application", NULL,
     "name:word website:text? scopes:~[word] redirect_uris:~[word] redirect_uri:~word id:~id "
     "vapid_key:~text"},
    {"CredentialApplication", NULL,
     "id:id name:word website:text? scopes:[word] redirect_uris:[word] redirect_uri:word client_id:word "
     "client_secret:word client_secret_expires_at:number vapid_key:text"},
    {"List", NULL,
     "id:id title:word replies_policy:followed|list|none exclusive:bool"},
    {"Markers", NULL,
     "home:~Marker notifications:~Marker"},
    {"Marker", NULL,
     "last_read_id:id version:number updated_at:date"},
    {"Conversation", NULL,
     "id:id unread:bool accounts:[Account] last_status:Status?"},
    {"Filter", NULL,
     "id:id title:text context:[home|notifications|public|thread|account] expires_at:date? "
     "filter_action:warn|hide|blur keywords:~[FilterKeyword] statuses:~[FilterStatus]"},
    {"FilterKeyword", NULL,
     "id:id keyword:word whole_word:bool"},
    {"FilterStatus", NULL,
     "id:id status_id:id"},
    {"FilterResult", NULL,
     "filter:Filter keyword_matches:any? status_matches:any?"},
    {"V1_Filter", NULL,
     "id:id phrase:word context:[home|notifications|public|thread|account] whole_word:bool "
     "expires_at:date? irreversible:bool"},
    {"V1_Instance", NULL,
     "uri:word title:text short_description:text description:text email:text version:word urls:V1_Urls "
     "stats:V1_Stats thumbnail:url? languages:[word] registrations:bool approval_required:bool "
     "invites_enabled:bool configuration:any contact_account:Account? rules:[Rule] max_toot_chars:~number"},
    {"Instance", NULL,
     "domain:word title:text version:word description:text source_url:text usage:InstanceUsage "
     "thumbnail:InstanceThumbnail icon:[any] languages:[word] configuration:any "
     "registrations:InstanceRegistrations api_versions:ApiVersions contact:InstanceContact rules:[Rule]"},
    {"Field", NULL,
     "name:word value:html verified_at:date?"},
    {"ApiVersions", NULL,
     "mastodon:number"},
    {"InstanceContact", NULL,
     "email:text account:Account?"},
    {"InstanceRegistrations", NULL,
     "enabled:bool approval_required:bool message:text? url:~url? min_age:~any? reason_required:~bool?"},
    {"InstanceThumbnail", NULL,
     "url:url blurhash:~text? versions:~any description:~text?"},
    {"InstanceUsage", NULL,
     "users:UsageUsers"},
    {"Mention", NULL,
     "id:id username:word acct:word url:url"},
    {"Role", NULL,
     "id:~text name:~text color:~text permissions:~text highlighted:~bool created_at:~date "
     "updated_at:~date"},
    {"Rule", NULL,
     "id:word text:text hint:~text"},
    {"Source", NULL,
     "privacy:public|unlisted|private|direct sensitive:bool language:text? note:text fields:[Field] "
     "follow_requests_count:number discoverable:bool indexable:bool hide_collections:bool"},
    {"StatusTag", NULL,
     "name:word url:url"},
    {"TagDay", NULL,
     "day:digits uses:digits accounts:digits"},
    {"V1_Stats", NULL,
     "user_count:number status_count:number domain_count:number"},
    {"V1_Urls", NULL,
     "streaming_api:word"},
    {"UsageUsers", NULL,
     "active_month:number"},
    {"Preferences", NULL,
     "posting:default:visibility:public|unlisted|private|direct posting:default:sensitive:bool "
     "posting:default:language:text? reading:expand:media:default|show_all|hide_all "
     "reading:expand:spoilers:bool reading:autoplay:gifs:bool"},
    {"ExtendedDescription", NULL,
     "updated_at:date? content:html"},
    {"FamiliarFollowers", NULL,
     "id:id accounts:[Account]"},
    {"UnreadCount", NULL,
     "count:number"},
    {"NodeInfoLinks", NULL,
     "links:[NodeInfoLink]"},
    {"NodeInfoLink", NULL,
     "rel:word href:url"},
    {"NodeInfo", NULL,
     "version:word software:NodeInfoSoftware protocols:[word] services:any openRegistrations:bool usage:any "
     "metadata:any"},
    {"NodeInfoSoftware", NULL,
     "name:word version:word"},
    {"OAuthServer", NULL,
     "issuer:url authorization_endpoint:url token_endpoint:url revocation_endpoint:url "
     "app_registration_endpoint:url scopes_supported:[word] response_types_supported:[word] "
     "response_modes_supported:[word] grant_types_supported:[word] code_challenge_methods_supported:[word] "
     "token_endpoint_auth_methods_supported:[word]"},
    {"Empty", NULL, ""},
    {"Error", NULL,
     "error:text error_description:~text details:~any"},
    {0},
};
/* clang-format on */
