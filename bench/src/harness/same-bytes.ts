import { z } from "zod";
import type { Load } from "../load/load.js";
import { overHttp } from "./over-http.js";
import type { Contestant } from "./row.js";

const answered = z.object({ body: z.unknown() });

const NAMES = {
  node: "bare node:http, the same bytes",
  express: "bare Express 5 route, the same bytes",
} as const;

/** Creates the upper limit of a row's speed: a server that always sends the answer of `other`. */
export async function sameBytes(on: keyof typeof NAMES, other: Contestant, load: Load): Promise<Contestant> {
  const { body } = answered.parse(await other.answer?.());
  return overHttp({
    name: NAMES[on],
    role: "limit",
    program: new URL("../servers/same-bytes.ts", import.meta.url),
    facts: { on, path: load.steps[0]?.path.replace(/\?.*/, ""), body: JSON.stringify(body) },
    load,
  });
}
