import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalRegistry, startLocalRegistry } from "./local-registry.js";

let registry: LocalRegistry;
beforeAll(async () => {
  registry = await startLocalRegistry(new Set(["@tillkit/a", "@tillkit/b"]));
});
afterAll(() => registry.close());

const send = (path: string, init: RequestInit = {}) =>
  fetch(registry.url + path, { redirect: "manual", ...init });

/** Publishes a package as npm does. */
function put(name: string) {
  const tarball = `${registry.url}${name}/-/${name}-0.1.0.tgz`;
  const body = {
    name,
    versions: { "0.1.0": { name, dist: { tarball } } },
    _attachments: { [`${name}-0.1.0.tgz`]: { data: Buffer.from("packed").toString("base64") } },
  };
  return send(name.replace("/", "%2f"), { method: "PUT", body: JSON.stringify(body) });
}

it("the registry returns a package and its tarball after it was published, and accepts a version once", async () => {
  expect((await send("@tillkit%2fa")).status).toBe(404);
  expect((await put("@tillkit/a")).status).toBe(201);
  expect((await put("@tillkit/a")).status).toBe(409);
  const found = await send("@tillkit%2fa");
  expect(found.headers.get("cache-control")).toBe("no-store");
  expect(await found.json()).not.toHaveProperty("_attachments");
  expect(await (await send("@tillkit/a/-/@tillkit/a-0.1.0.tgz")).text()).toBe("packed");
});

it("the registry never takes a package of this repository from elsewhere", async () => {
  expect((await send("@tillkit%2fb")).status).toBe(404);
});

it("the registry refers npm to the registry of this machine for other packages, and accepts none of them", async () => {
  const found = await send("zod");
  expect(found.status).toBe(302);
  expect(found.headers.get("location")).toMatch(/^http.*\/zod$/u);
  expect((await put("zod")).status).toBe(403);
});
