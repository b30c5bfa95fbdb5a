import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { headersIn } from "@tillkit/core/http";
import { memoryPorts } from "@tillkit/memory";
import { withTemporaryFolder } from "@tillkit/repository";
import { describe, expect, it } from "vitest";
import { dashboardSurface } from "../dashboard-surface.js";

const SCRIPT = "console.log(1);";
const INDEX = '<script type="module" src="./assets/index-abc.js"></script><link href="./favicon.svg">';

/** Runs a test with a surface over a small page. */
async function withPage(mountPath: string, test: (get: Get) => Promise<void>): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    await mkdir(`${folder}/assets`);
    await writeFile(`${folder}/index.html`, INDEX);
    await writeFile(`${folder}/favicon.svg`, "<svg/>");
    await writeFile(`${folder}/assets/index-abc.js`, SCRIPT);
    await writeFile(`${folder}/assets/index-abc.js.br`, brotliCompressSync(SCRIPT));
    await writeFile(`${folder}/assets/index-abc.js.gz`, gzipSync(SCRIPT));
    await test(getter(mountPath, folder));
  });
}

type Get = ReturnType<typeof getter>;

function getter(mountPath: string, page: string) {
  const surface = dashboardSurface(memoryPorts(), { authorize: async () => undefined, mountPath, page });
  return async (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
    const body = new Uint8Array();
    const reply = await surface.handle({ method, path, query: "", headers: headersIn(headers), body });
    const bytes = typeof reply.body === "string" ? Buffer.from(reply.body) : reply.body;
    if (!(bytes instanceof Uint8Array)) throw new TypeError("The reply is a stream.");
    return { ...reply, bytes: Buffer.from(bytes), text: Buffer.from(bytes).toString() };
  };
}

describe("index.html", () => {
  it.each(["/", "/orders", "/orders/app-1/order-1001", "/orders/app-1/a.b", "/index.html"])(
    "answers %s, with the addresses of its files below the mount point",
    (path) =>
      withPage("/dashboard", async (get) => {
        const { status, text, headers } = await get(path);
        expect(status).toBe(200);
        expect(text).toContain('src="/dashboard/assets/index-abc.js"');
        expect(text).toContain('href="/dashboard/favicon.svg"');
        expect(headers["content-type"]).toBe("text/html; charset=utf-8");
        expect(headers["content-security-policy"]).toContain("script-src 'self'");
      }),
  );

  it.each([
    ["/", "/assets/"],
    ["/ops/tills/", "/ops/tills/assets/"],
  ])("works at the mount path %s", (mountPath, assets) =>
    withPage(mountPath, async (get) => {
      expect((await get("/orders")).text).toContain(`src="${assets}index-abc.js"`);
    }),
  );

  it("is requested again at each visit, and is sent only if it has changed", () =>
    withPage("/dashboard", async (get) => {
      const { headers } = await get("/");
      expect(headers["cache-control"]).toBe("no-cache");
      const again = await get("/orders", { "if-none-match": headers["etag"] ?? "" });
      expect(again).toMatchObject({ status: 304, text: "" });
      const several = await get("/orders", { "if-none-match": `W/"other", ${headers["etag"] ?? ""}` });
      expect(several).toMatchObject({ status: 304, text: "" });
      expect((await get("/", { "if-none-match": 'W/"other"' })).status).toBe(200);
    }));

  it("answers HEAD like GET", () =>
    withPage("/dashboard", async (get) => {
      expect(await get("/", {}, "HEAD")).toMatchObject({ status: 200 });
    }));
});

describe("a file with a digest in its name", () => {
  const path = "/assets/index-abc.js";

  it("is stored forever", () =>
    withPage("/dashboard", async (get) => {
      const { headers, text } = await get(path);
      expect(text).toBe(SCRIPT);
      expect(headers).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        "content-type": "text/javascript; charset=utf-8",
        vary: "accept-encoding",
      });
      expect(headers).not.toHaveProperty("content-encoding");
    }));

  it.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=0.8", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.0, identity", undefined],
  ])("is sent to `%s` with the coding %s", (accepted, coding) =>
    withPage("/dashboard", async (get) => {
      const { headers, bytes } = await get(path, { "accept-encoding": accepted });
      expect(headers["content-encoding"]).toBe(coding);
      const sent = { br: brotliCompressSync(SCRIPT), gzip: gzipSync(SCRIPT) };
      expect(bytes).toEqual(
        coding === "br" || coding === "gzip" ? Buffer.from(sent[coding]) : Buffer.from(SCRIPT),
      );
    }),
  );

  it.each(["/assets/index-old.js", "/assets/../index.html", "/assets/%2e%2e/package.json"])(
    "is not found at %s",
    (other) =>
      withPage("/dashboard", async (get) => {
        expect((await get(other)).status).toBe(404);
      }),
  );
});

it("the page does not answer requests to the API, or requests that change something", () =>
  withPage("/dashboard", async (get) => {
    expect((await get("/api/unknown")).headers["content-type"]).toContain("application/json");
    expect((await get("/orders", {}, "POST")).status).toBe(404);
  }));

it("the answer names the command that builds the page if there is no page", () =>
  withTemporaryFolder(async (folder) => {
    const get = getter("/dashboard", folder);
    const { status, text } = await get("/");
    expect(status).toBe(503);
    expect(text).toContain("npm run page");
    await writeFile(`${folder}/index.html`, INDEX);
    expect((await get("/")).status).toBe(200);
  }));

it("the server reads the files again after they could not be read", () =>
  withTemporaryFolder(async (folder) => {
    await writeFile(`${folder}/index.html`, INDEX);
    await mkdir(`${folder}/unreadable.js`);
    const get = getter("/dashboard", folder);
    expect((await get("/")).status).toBe(503);
    await rmdir(`${folder}/unreadable.js`);
    expect((await get("/")).status).toBe(200);
  }));
