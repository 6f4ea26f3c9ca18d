// steps.mjs - what the programs of this directory share: who they are, steps that are counted, and waiting.
//
// Each step prints "ok NAME"; the first that fails ends the program with status 1 and its words. A step about addresses that are
// not there yet (NOT_YET of tests/e2e/api_contract.py) prints "not yet NAME".
import assert from "node:assert/strict";
import { createRequire } from "node:module";

/** The server and those who ask, as the test gives them: { url, people: [{ name, token, password }, …], not_yet: […] }. */
export const world = JSON.parse(process.env.CLIENTS_WORLD);

/** A library out of the directory where tests/clients/fetch has put it. */
export const load = createRequire(`${process.env.CLIENTS_LIBRARIES}/`);

const steps = [];

export function step(name, run, needs = null) {
  steps.push({ name, run, needs });
}

export async function runSteps() {
  for (const { name, run, needs } of steps) {
    if (world.not_yet.includes(needs)) {
      console.log(`not yet ${name}`);
      continue;
    }
    try {
      await run();
    } catch (error) {
      console.error(`in the step "${name}":`, error);
      process.exit(1);
    }
    console.log(`ok ${name}`);
  }
}

/** What `ask` gives as soon as it is not false: homes and notices come a moment after the answer. */
export async function eventually(what, ask) {
  for (let tries = 0; tries < 200; tries++) {
    const got = await ask();
    if (got) return got;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never: ${what}`);
}

/** Fails unless the promise is refused with this status. */
export async function refused(status, promise) {
  await assert.rejects(async () => await promise, (error) => {
    assert.equal(error.statusCode ?? error.response?.status, status);
    return true;
  });
}

export const ids = (entries) => entries.map((entry) => entry.id);
