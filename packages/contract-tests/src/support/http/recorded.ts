import type { Ports } from "@tillkit/core";

/** Members of `Ports` whose calls are not recorded, or that have no methods. */
const UNRECORDED = new Set(["clock", "random", "observer", "policy", "notificationsUrl"]);

/** Wraps the ports and adds `port.method` to `work` before each call. */
export function recorded(ports: Ports, work: string[]): Ports {
  const names = Object.entries(ports).filter(([name]) => !UNRECORDED.has(name));
  return {
    ...ports,
    ...Object.fromEntries(names.map(([name, port]) => [name, writingDown(name, port, work)])),
  };
}

function writingDown(name: string, member: unknown, work: string[]): unknown {
  if (typeof member !== "object" || member === null) return member;
  return new Proxy(member, {
    get: (target, method) => {
      const found: unknown = Reflect.get(target, method);
      const called = `${name}.${String(method)}`;
      if (typeof found !== "function") return writingDown(called, found, work);
      return (...given: readonly unknown[]): unknown => {
        work.push(called);
        return Reflect.apply(found, target, given);
      };
    },
  });
}
