import { readFileSync } from "node:fs";
import { z } from "zod";
import { root } from "../../../../scripts/lib/packages.js";

const operation = z.object({ "x-failures": z.array(z.object({ code: z.int() })) });
const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** Reads the codes of each payments endpoint from the reference, by method and path. */
export function documentedCodes(): ReadonlyMap<string, ReadonlySet<number>> {
  const { paths } = openApi.parse(JSON.parse(readFileSync(`${root}docs/reference/openapi.json`, "utf8")));
  const codes = new Map<string, ReadonlySet<number>>();
  for (const [path, members] of Object.entries(paths))
    for (const [method, member] of Object.entries(members)) {
      const { success, data } = operation.safeParse(member);
      if (success)
        codes.set(`${method.toUpperCase()} ${path}`, new Set(data["x-failures"].map(({ code }) => code)));
    }
  return codes;
}
