"""A site that has been lived in: people, languages, long words, answers. For tests that look at pages."""

from retwis_server import Browser

# name, display name, bio
PEOPLE = [
    ("ada_moreno", "Ada Moreno", "Printer of small books in Porto. Sourdough, bicycles, letterpress.\n"
                                 "Workshop diary: https://ada.example/diary"),
    ("kenji", "田中 健二", "京都の庭師。苔と石と雨の話をします。🍵"),
    ("lin_wei", "林薇", "写代码，也写信。杭州。#摄影 #开源"),
    ("layla_h", "ليلى حداد", "مهندسة صوت في بيروت. أكتب عن المدينة والبحر والموسيقى."),
    ("ioana_p", "Ioana Pătrașcu", "Învăț limbi străine și urc pe munte când plouă mai puțin."),
    ("miguel_o", "Miguel Ángel Ortega", "Meteorólogo. Nubes, sobre todo nubes."),
    ("noa_levi", "נועה לוי", "רצה למרחקים ארוכים, קוראת לאט."),
    ("sam", "Sam 🌿🚲", "Community garden, 52°N. Ask me about compost."),
    ("the_longest_name_allowed_here1", "Maximiliane Freifrau von Hohenstein-Oberammergau", ""),
    ("bo3", "", ""),
    ("quiet_one", "Quiet One", "Here to read."),
]

# author, text, key of the post that is answered (by its place in this list)
POSTS = [
    ("miguel_o", "Buenos días. Frente frío por el noroeste: en A Coruña lloverá hasta el jueves, y el viernes… también. ☔", None),
    ("ada_moreno", "Proofs of the spring catalogue are drying on every flat surface of the workshop, the cat included.", None),
    ("kenji", "朝の庭。霜がまだ溶けない。", None),
    ("sam", "@ada_moreno We need a picture of the cat. For the archive, obviously.", 1),
    ("ada_moreno", "@sam She has signed nothing and wants a lawyer first.", 3),
    ("lin_wei", "今天把旧相机修好了，第一卷胶片拍了西湖的雾。冲洗出来再给大家看。 #摄影", None),
    ("layla_h", "سجّلت اليوم صوت المطر على سقف السوق القديم. سأضعه غداً هنا: https://layla.example/مطر", None),
    ("ioana_p", "Am coborât de pe Omu cu genunchii rupți și cu cel mai frumos răsărit din ultimii zece ani. #munte", None),
    ("noa_levi", "שמונה עשר קילומטר לפני הזריחה. אף אחד לא ביקש, ובכל זאת.", None),
    ("the_longest_name_allowed_here1", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft. "
     "Wer das ohne Luftholen liest, bekommt ein Stück Kuchen.", None),
    ("bo3", "https://example.org/a/very/long/path/that/never/seems/to/end/and/then/some?with=parameters&and=more"
     "&until=the-margin-is-reached#and-a-fragment", None),
    ("sam", "Compost is at 61 °C.\n\nThings that went in this week:\n– apple peel\n– three newspapers\n– the plan for 2024",
     None),
    ("kenji", "@lin_wei 霧の西湖、楽しみにしています。", 5),
    ("lin_wei", "@kenji 一定！也想看你院子里的苔藓。🌱", 12),
    ("miguel_o", "@sam Aquí 3 °C a las siete. El compost está más caliente que media España. 😅", 11),
    ("bo3", "ok", None),
    ("ioana_p", "What is the one tool you would never lend? Mine is the good pencil sharpener. "
     "Asking @ada_moreno, @kenji and @miguel_o, who look like people with tools. #tools #askretwis", None),
    ("kenji", "@ioana_p 剪定ばさみ。祖父のものです。", 16),
    ("ada_moreno", "@ioana_p The composing stick. You may borrow the press before you borrow the stick.", 16),
    ("layla_h", "@ioana_p ميكروفون اشتريته بأول راتب. لا يخرج من البيت إلا معي.", 16),
    ("sam", "@ioana_p My hoe. I have been told this is not a good answer at parties.", 16),
    ("ada_moreno", "Setting a poem by hand takes four hours. Reading it takes forty seconds. "
     "I keep thinking that this is the right proportion, and that most of what I read was made the other way round. #letterpress",
     None),
    ("sam", "👩‍🌾🥕🥕🥕", None),
    ("miguel_o", "Foto del día: cumulonimbus mammatus sobre el puerto. Nadie miró hacia arriba salvo un perro y yo. "
     "https://www.nubes.example/galeria/2025/mammatus", None),
]

FOLLOWS = {
    "ada_moreno": ["kenji", "lin_wei", "layla_h", "ioana_p", "miguel_o", "sam", "the_longest_name_allowed_here1", "bo3",
                   "noa_levi"],
    "kenji": ["ada_moreno", "lin_wei", "ioana_p"],
    "lin_wei": ["kenji", "ada_moreno", "sam"],
    "sam": ["ada_moreno", "ioana_p", "miguel_o", "bo3"],
    "ioana_p": ["ada_moreno", "kenji", "miguel_o", "sam", "layla_h"],
    "miguel_o": ["ada_moreno", "sam", "ioana_p"],
    "layla_h": ["ada_moreno", "ioana_p"],
    "quiet_one": ["sam", "ada_moreno"],
}


class Town:
    """The people by name (as browsers of the end-to-end tests), and the ids of POSTS in their order."""

    def __init__(self, server):
        self.server = server
        self.people = {}
        self.ids = []
        for name, display, bio in PEOPLE:
            person = self.people[name] = Browser(server).sign_up(name)
            if display or bio:
                assert person.action("/settings/profile", display_name=display, bio=bio).status == 200
        for name, followed in FOLLOWS.items():
            self.people[name].follow_many(", ".join(followed))
        for author, text, parent in POSTS:
            more = {} if parent is None else {"in_reply_to_id": self.ids[parent]}
            self.ids.append(self.people[author].post(text, **more))
        ada = self.people["ada_moreno"]
        self.lists = [ada.make_list("Clouds & gardens", "miguel_o, kenji, sam, ada_moreno, bo3"),
                      ada.make_list("Schreibwerkstatt Donaudampfschifffahrtselektrizitätenhauptb"), ada.make_list("摄影")]
        for action, who, number in (("boost", "noa_levi", 0), ("boost", "sam", 0), ("pin", "ada_moreno", 1)):
            assert self.people[who].action(f"/posts/{self.ids[number]}/{action}", next="/home").status == 200
        self.newcomer = Browser(server).sign_up("newcomer")
        self.people["kenji"].action("/settings/filters", phrase="Spoiler für die letzte Folge", home="true", duration="3600")
        self.people["bo3"].action("/settings/locked", locked="true")
        self.newcomer.action("/@bo3/follow", next="/home")

    def __getitem__(self, name):
        return self.people[name]

    def path_of(self, number):
        """Address of a post of POSTS."""
        return f"/@{POSTS[number][0]}/{self.ids[number]}"
