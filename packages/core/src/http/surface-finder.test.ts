import { describe, expect, it } from "vitest";
import type { Surface } from "./request.js";
import { surfaceFinder } from "./surface-finder.js";

/** Creates a surface that owns the paths matching `owns`, for every method except TRACE. */
function owning(owns: RegExp): Surface {
  return {
    maxRequestBytes: 0,
    owns: (method, path) => method !== "TRACE" && owns.test(path),
    handle: () => Promise.reject(new Error("not asked")),
  };
}

const everything = owning(/^\//);
const misc = owning(/^\/misc\//);

describe("surfaceFinder", () => {
  it.each([
    ["/pay", "/"],
    ["/pay/", "/"],
    ["/pay/order.json", "/order.json"],
    ["/pay//order.json", "//order.json"],
    ["/pay/%2e%2e/x%2F", "/%2e%2e/x%2F"],
    ["/pay/pay", "/pay"],
  ])("passes %s below /pay to the surface as %s", (path, below) => {
    const find = surfaceFinder({ "/pay": everything });
    expect(find("GET", path)).toEqual({ surface: everything, path: below });
  });

  it.each(["/", "/payments", "/PAY/order.json", "/p", "/%70ay/x", "/x/pay", "//pay/x", "*", ""])(
    "leaves %j to the host when only /pay is mounted",
    (path) => {
      expect(surfaceFinder({ "/pay": everything })("GET", path)).toBeUndefined();
    },
  );

  it("leaves paths and methods that the surface does not own to the host", () => {
    const find = surfaceFinder({ "/": misc });
    expect(find("GET", "/misc/x")).toEqual({ surface: misc, path: "/misc/x" });
    expect(find("GET", "/elsewhere")).toBeUndefined();
    expect(find("TRACE", "/misc/x")).toBeUndefined();
    expect(find("OPTIONS", "*")).toBeUndefined();
  });

  it.each([
    ["the deepest first", { "/a/b": misc, "/a": everything }],
    ["the deepest last", { "/a": everything, "/a/b": misc }],
  ])("tries the deepest mount point first, and then the next one: %s", (_, mounts) => {
    const find = surfaceFinder(mounts);
    expect(find("GET", "/a/b/misc/x")).toEqual({ surface: misc, path: "/misc/x" });
    expect(find("GET", "/a/b/x")).toEqual({ surface: everything, path: "/b/x" });
    expect(find("GET", "/b")).toBeUndefined();
  });

  it("ignores a trailing slash of a mount point", () => {
    const find = surfaceFinder({ "/v1/pay/": everything });
    expect(find("GET", "/v1/pay")).toEqual({ surface: everything, path: "/" });
    expect(find("GET", "/v1/pay/x")).toEqual({ surface: everything, path: "/x" });
  });

  it.each(["", "pay", "/pay?x=1", "/pay#x", "//", "/pay//x", "https://example.com/pay"])(
    "throws for the mount point %j, with an example of a valid one",
    (point) => {
      expect(() => surfaceFinder({ [point]: everything })).toThrow(/A mount point is a path such as "\/pay"/);
    },
  );
});
