import { describe, expect, it } from "vitest";
import type { BindingOptions } from "../../support/http/open-binding.js";
import type { BindingFixture } from "../../support/http/binding-fixture.js";

/** Tests that a request reaches only the surface that owns it, unchanged. */
export function testRequests(fixture: () => BindingFixture, { urls }: BindingOptions): void {
  describe("requests", () => {
    it.each(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("passes the method %s", async (method) => {
      expect(await fixture().seen({ method, path: "/pay/echo" })).toMatchObject({
        surface: "payments",
        method,
        path: "/echo",
      });
    });

    it("passes to each surface the path below its own mount point", async () => {
      expect(await fixture().seen({ path: "/pay/echo/a" })).toMatchObject({
        surface: "payments",
        path: "/echo/a",
      });
      expect(await fixture().seen({ path: "/echo/a" })).toMatchObject({
        surface: "metrics",
        path: "/echo/a",
      });
      expect(await fixture().seen({ path: "/wallets/echo/a" })).toMatchObject({
        surface: "notifications",
        path: "/echo/a",
      });
    });

    it("passes a path that two surfaces own to the surface with the deeper mount point", async () => {
      expect(await fixture().seen({ path: "/pay/echo/shared" })).toMatchObject({
        surface: "payments",
        path: "/echo/shared",
      });
    });

    it.each(["/pay", "/pay/"])("passes the mount point itself %s as the path /", async (path) => {
      expect(await fixture().seen({ path })).toMatchObject({ surface: "payments", path: "/", query: "" });
      expect(await fixture().seen({ path: `${path}?a=1` })).toMatchObject({
        surface: "payments",
        path: "/",
        query: "a=1",
      });
    });

    it.each(["/echo/%E4%BD%A0%e5%a5%bd", "/echo/a%2Fb%20c.json", "/echo/%zz%", "/echo//b", "/echo/a+b;c=d"])(
      "passes the path %s as the client sent it",
      async (path) => {
        expect(await fixture().seen({ path: `/pay${path}` })).toMatchObject({ surface: "payments", path });
        expect(await fixture().seen({ path })).toMatchObject({ surface: "metrics", path });
      },
    );

    if (urls === "as-written") {
      it("passes dot segments as the client sent them", async () => {
        const path = "/echo/%2e%2E/x";
        expect(await fixture().seen({ path: `/pay${path}` })).toMatchObject({ surface: "payments", path });
        expect(await fixture().seen({ path })).toMatchObject({ surface: "metrics", path });
      });
    } else {
      it("passes dot segments as the platform resolved them", async () => {
        const echo = { surface: "payments", path: "/echo/x" };
        expect(await fixture().seen({ path: "/pay/echo/a/%2e%2E/x" })).toMatchObject(echo);
        expect(await fixture().seen({ path: "/echo/%2e%2E/pay/echo/x" })).toMatchObject(echo);
      });
    }

    it.each(["a=1&a=2&b=%20+%2B", "&c&=&d=%zz", "a[b]=1&a[]=2", "x=/pay/echo?y=1", "__proto__=1", ""])(
      "passes the query string %s as the client sent it",
      async (query) => {
        expect(await fixture().seen({ path: `/pay/echo?${query}` })).toMatchObject({ path: "/echo", query });
        expect(await fixture().seen({ path: `/echo?${query}` })).toMatchObject({ path: "/echo", query });
      },
    );

    it("passes an empty query if there is none", async () => {
      expect(await fixture().seen({ path: "/pay/echo" })).toMatchObject({ query: "" });
    });

    it("finds headers by their lower-case names with underscores, and joins repeated ones in order", async () => {
      const sent = {
        APP_ID: "app-1",
        "X-Mixed-Case": "Kept As Is",
        "X-Empty": "",
        "X-Many": ["one", "two", "three"],
        "Set-Cookie": ["a=1", "b=2"],
      };
      const { headers } = await fixture().seen({ path: "/pay/echo", headers: sent });
      expect(headers.get("app_id")).toBe("app-1");
      expect(headers.get("x-mixed-case")).toBe("Kept As Is");
      expect(headers.get("x-empty")).toBe("");
      expect(headers.get("x-many")).toBe("one, two, three");
      expect(headers.get("set-cookie")).toBe("a=1, b=2");
    });

    it("passes the address that the request came from", async () => {
      expect((await fixture().seen({ path: "/pay/echo" })).peer).toMatch(/^(?:::ffff:)?127\.0\.0\.1$/);
    });

    it.each(["app_secret", "constructor", "__proto__"])(
      "returns no header %s that was not sent",
      async (name) => {
        const { headers } = await fixture().seen({ path: "/pay/echo" });
        expect(headers.get(name)).toBeNull();
      },
    );
  });

  describe("the host's own paths", () => {
    it.each([
      "/pay/other",
      "/other",
      "/wallets/other",
      "/payments/echo",
      "/",
      "/PAY/echo",
      "/Wallets/echo",
      "/pay/Echo",
    ])("leaves %s to the host", async (path) => {
      expect((await fixture().call({ path })).status).toBe(404);
      expect((await fixture().call({ method: "POST", path, body: Buffer.from("{}") })).status).toBe(404);
      expect(fixture().recording.seen).toEqual([]);
    });

    it("leaves a method that the surface does not own to the host", async () => {
      expect((await fixture().call({ method: "TRACE", path: "/pay/echo" })).status).toBe(404);
      expect(fixture().recording.seen).toEqual([]);
    });
  });
}
