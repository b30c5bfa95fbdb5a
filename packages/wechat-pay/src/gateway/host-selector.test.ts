import { describe, expect, it } from "vitest";
import { openGateways } from "./gateways.js";

/** Creates a selector of three named hosts and a clock that the test moves. */
function threeHosts() {
  const clock = { time: 1_000_000, now: () => clock.time };
  const gateways = { PROD: ["https://a.example", "https://b.example", "https://c.example"] };
  const choice = openGateways({ gateways }, clock.now)({ appEnv: "PROD" });
  if (choice === undefined) throw new Error("PROD has hosts.");
  const named = (name: string) => {
    const host = choice.inOrder().find(({ address }) => address.hostname === `${name}.example`);
    if (host === undefined) throw new Error(`There is no ${name}.`);
    return host;
  };
  const hosts = { a: named("a"), b: named("b"), c: named("c") };
  const order = () =>
    choice
      .inOrder()
      .map(({ address }) => address.hostname?.[0])
      .join("");
  return { clock, choice, hosts, order };
}

describe("the first host", () => {
  it("is the first configured one while all respond", () => {
    const { order } = threeHosts();
    expect([order(), order()]).toEqual(["abc", "abc"]);
  });

  it("is not a host that failed less than thirty seconds ago", () => {
    const { clock, choice, hosts, order } = threeHosts();
    choice.failed(hosts.a);
    expect(order()).toBe("bca");
    clock.time += 29_999;
    expect(order()).toBe("bca");
    clock.time += 1;
    expect(order()).toBe("abc");
  });

  it("is a failed host again for one call after the pause, and for all calls after this host responded", () => {
    const { clock, choice, hosts, order } = threeHosts();
    choice.failed(hosts.a);
    clock.time += 30_000;
    expect([order(), order()]).toEqual(["abc", "bca"]);
    choice.answered(hosts.a);
    expect([order(), order()]).toEqual(["abc", "abc"]);
  });

  it("is the first configured one if all failed", () => {
    const { choice, hosts, order } = threeHosts();
    for (const host of [hosts.a, hosts.b, hosts.c]) choice.failed(host);
    expect(order()).toBe("abc");
    choice.answered(hosts.c);
    expect(order()).toBe("cab");
  });
});
