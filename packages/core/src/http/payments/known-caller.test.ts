import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import type { App } from "../../apps/app.js";
import type { ServiceEvent } from "../../events/observer.js";
import { defaultPolicy } from "../../policy.js";
import type { Ports } from "../../ports.js";
import { app, stub } from "../../testing/stubs.js";
import { withConcurrencyLimit } from "../with-concurrency-limit.js";
import { paymentsSurface } from "./surface.js";

const OWN: App = { ...app, secrets: [{ hash: "hash of secret", gmtCreate: 0 }] };
const DISABLED: App = { ...OWN, appId: "app_2", disabled: true };
const NEVER = new Promise<never>(() => undefined);

/** Creates a surface with two apps. `ask` sends a request and returns the event about it. */
function aSurface(find = (appId: string) => okAsync([OWN, DISABLED].find((one) => one.appId === appId))) {
  const events: ServiceEvent[] = [];
  const cached = new Map<string, App | undefined>();
  const ports = stub<Ports>({
    clock: { now: () => 0, sleep: () => NEVER },
    random: { bytes: (count) => new Uint8Array(count) },
    digest: { sha256: (text) => `hash of ${text}`, keyed: (text) => [text] },
    apps: stub({
      getCached: (appId) => cached.get(appId),
      find: (appId) =>
        find(appId).map((found) => {
          cached.set(appId, found);
          return found;
        }),
    }),
    observer: { onEvent: (event) => events.push(event) },
    policy: defaultPolicy,
  });
  const surface = withConcurrencyLimit(ports, paymentsSurface(ports), { maxConcurrent: 1, maxQueued: 0 });
  const send = (appId: string, appSecret: string) => {
    const headers = new Headers({ app_id: appId, app_secret: appSecret });
    return surface.handle({
      method: "GET",
      path: "/detail.json",
      query: "",
      headers,
      body: new Uint8Array(),
    });
  };
  const ask = async (appId: string, appSecret: string) => {
    await send(appId, appSecret);
    return events.findLast((event) => event.type === "request.answered");
  };
  return { send, ask };
}

it("names the app of a request whose credentials are right", async () => {
  const event = await aSurface().ask(OWN.appId, "secret");
  expect(event).toMatchObject({ failure: "parameter.missing", appId: OWN.appId });
});

it("names an existing app in a request whose credentials are refused, and no other id", async () => {
  const { ask } = aSurface();
  const refused = { failure: "credentials.invalid" };
  expect(await ask(OWN.appId, "wrong")).toMatchObject({ ...refused, appId: OWN.appId });
  expect(await ask(OWN.appId, "wrong")).not.toHaveProperty("isAppDisabled");
  expect(await ask("app_2", "secret")).toMatchObject({ ...refused, appId: "app_2", isAppDisabled: true });
  for (const [appId, appSecret] of [
    ["app_invented", "secret"],
    ["", "secret"],
  ] as const) {
    const event = await ask(appId, appSecret);
    expect(event).toMatchObject({ type: "request.answered" });
    expect(event).not.toHaveProperty("appId");
  }
});

it("does not name the claimed app of a request that the limits refuse before it is authenticated", async () => {
  const { send, ask } = aSurface(() => okAsync(NEVER).map((never) => never));
  void send("app_1", "secret");
  const event = await ask("app_1", "secret");
  expect(event).toMatchObject({ failure: "overload" });
  expect(event).not.toHaveProperty("appId");
});
