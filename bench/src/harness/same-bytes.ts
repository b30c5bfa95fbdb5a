import { z } from "zod";
import type { Load } from "../load/load.js";
import { overHttp } from "./over-http.js";
import type { Contestant } from "./row.js";

const answered = z.object({ body: z.unknown() });

/** The limit of every row over HTTP: a bare server that answers with what `other` answers. */
export async function sameBytes(other: Contestant, load: Load): Promise<Contestant> {
  const { body } = answered.parse(await other.answer?.());
  return overHttp({
    name: "bare node:http, the same bytes",
    role: "limit",
    program: new URL("../servers/same-bytes.ts", import.meta.url),
    facts: { body: JSON.stringify(body) },
    load,
  });
}
