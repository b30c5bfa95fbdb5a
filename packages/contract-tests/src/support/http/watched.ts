import type { Ports } from "@tillkit/core";

/** Members of `Ports` whose calls are not recorded, or that have no methods. */
const UNWATCHED = new Set(["clock", "random", "observer", "policy", "notificationsUrl"]);

/** Wraps the ports and adds `port.method` to `work` before each call. */
export function watched(ports: Ports, work: string[]): Ports {
  const names = Object.entries(ports).filter(([name]) => !UNWATCHED.has(name));
  return {
    ...ports,
    ...Object.fromEntries(names.map(([name, port]) => [name, writingDown(name, port, work)])),
  };
}

function writingDown(name: string, member: unknown, work: string[]): unknown {
  if (typeof member !== "object" || member === null) return member;
  return new Proxy(member, {
    get: (target, verb) => {
      const found: unknown = Reflect.get(target, verb);
      const called = `${name}.${String(verb)}`;
      if (typeof found !== "function") return writingDown(called, found, work);
      return (...given: readonly unknown[]): unknown => {
        work.push(called);
        return Reflect.apply(found, target, given);
      };
    },
  });
}
