import type { Ports } from "@tillkit/core";

/** Members of `Ports` of which a call tells nobody anything, or that have none. */
const UNWATCHED = new Set(["clock", "random", "observer", "policy", "notificationsUrl"]);

/** The ports, of which every other one writes each call down in `work` as `port.verb`, before it begins. */
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
