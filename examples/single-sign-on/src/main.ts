import { memoryPorts } from "@tillkit/memory";
import { LOCAL_CLIENT, startLocalProvider } from "./local-provider.js";
import { freePort, MOUNTS, serveWithSingleSignOn } from "./serve.js";

// Without an issuer, the program starts a provider on this machine. Everything is in memory.
const { OIDC_ISSUER, OIDC_CLIENT_ID = "", OIDC_CLIENT_SECRET = "", PUBLIC_ORIGIN, PORT } = process.env;
const port = PORT === undefined ? await freePort() : Number(PORT);
const people = new Map([
  ["li", { groups: ["pay-support", "pay-every-app"] }],
  ["an", { groups: ["pay-finance", "pay-every-app"] }],
  ["han", { groups: ["pay-admin", "pay-every-app"] }],
]);
const local =
  OIDC_ISSUER === undefined
    ? await startLocalProvider(people, `http://127.0.0.1:${String(port)}`, MOUNTS)
    : undefined;
const client =
  local === undefined
    ? { issuer: OIDC_ISSUER ?? "", clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET }
    : { issuer: local.issuer, clientId: LOCAL_CLIENT.id, clientSecret: LOCAL_CLIENT.secret };
const origin = PUBLIC_ORIGIN === undefined ? {} : { origin: PUBLIC_ORIGIN };
const { url } = await serveWithSingleSignOn(memoryPorts(), { ...client, ...origin, port });
console.log(`The operators' page: ${url}`);
if (local !== undefined) console.log("Sign in as li, an or han with any password.");
