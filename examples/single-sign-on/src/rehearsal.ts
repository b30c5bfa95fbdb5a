import assert from "node:assert/strict";
import { memoryPorts } from "@tillkit/memory";
import { LOCAL_CLIENT, startLocalProvider } from "./local-provider.js";
import { freePort, MOUNTS, serveWithSingleSignOn } from "./serve.js";
import { testBrowser } from "./testing/browser.js";

// Signs a person in at a provider on this machine, shows the rights, and signs the person out.
const people = new Map([["li", { groups: ["pay-support", "pay-app:app_1"] }]]);
const port = await freePort();
const origin = `http://127.0.0.1:${String(port)}`;
const provider = await startLocalProvider(people, origin, MOUNTS);
const { id, secret } = LOCAL_CLIENT;
const client = { issuer: provider.issuer, clientId: id, clientSecret: secret, port };
const host = await serveWithSingleSignOn(memoryPorts(), client);
const browser = testBrowser();
const operator = async () => (await browser.api(host.url, "/api/session")).json["operator"];

await browser.signIn(`${origin}${MOUNTS.signOnPath}/start`, "li");
assert.deepEqual(await operator(), { name: "li", role: "support", apps: ["app_1"] });
console.log("li signed in with the role support, for the app app_1.");

await browser.submit(await browser.visit(`${origin}${MOUNTS.signOnPath}/end`), { logout: "yes" });
assert.equal(await operator(), null);
console.log("li signed out.");

await host.close();
await provider.close();
