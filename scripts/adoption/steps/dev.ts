import assert from "node:assert/strict";
import { z } from "zod";
import { runOrThrow, secondsSince } from "@tillkit/repository";
import { pages } from "../../docs-snippets/pages.js";
import { shellBlocksOf } from "../../docs-snippets/shell-blocks.js";
import type { PackedPackage } from "../../lib/pack.js";
import { install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";
import { withProgram } from "../lib/with-program.js";

/** The longest time from nothing to a paid order on an idle machine. */
const IDLE_SECONDS = 60;
/** The limit of the step: a busy machine takes longer. */
const MAX_SECONDS = 4 * IDLE_SECONDS;

const order = z.object({ code: z.literal(0), data: z.object({ paymentStatus: z.string() }) });

/** Installs the command line with an empty cache, runs `tillkit dev`, and pays an order. */
export const dev: AdoptionStep = {
  name: "dev",
  shows: "tillkit dev from npm alone: a paid order by the printed lines, and those of the quick start",
  run: ({ folder, tarballs }) => payWithDev(folder, tarballs),
};

/**
 * Installs the command line with an empty cache, runs `tillkit dev` and pays an order.
 *
 * @returns the seconds. Rejects after {@link MAX_SECONDS}.
 */
export async function payWithDev(folder: string, tarballs: readonly PackedPackage[]): Promise<string> {
  const start = performance.now();
  await install(folder, tarballs, ["tillkit"], [], { npm_config_cache: `${folder}/cache` });
  const installed = secondsSince(start);
  const args = ["dev", "--port", "0"];
  return withProgram(`${folder}/node_modules/.bin/tillkit`, args, folder, {}, async (program) => {
    await program.printed(/Press Ctrl\+C/u, MAX_SECONDS * 1_000);
    const output = program.output();
    const lines = output.split("\n").filter((line) => line.includes("curl "));
    const answers: string[] = [];
    // The first three create an order, pay it and read it.
    for (const line of lines.slice(0, 3)) answers.push(await runOrThrow("bash", ["-c", line], folder));
    assert.equal(order.parse(JSON.parse(answers[2] ?? "null")).data.paymentStatus, "PAID");
    const paid = (performance.now() - start) / 1_000;
    await checkPage(output);
    const pasted = await runOrThrow("bash", ["-e", "-c", quickStart()], folder);
    assert.match(pasted, /"paymentStatus":"PAID"/u);
    assert.doesNotMatch(pasted, /"code":[1-9]/u);
    await program.end("SIGINT");
    const figures = `installed after ${installed} s, paid after ${paid.toFixed(1)} s`;
    assert.ok(paid <= MAX_SECONDS, `${figures}; at most ${MAX_SECONDS} s`);
    return `${figures}; on an idle machine at most ${IDLE_SECONDS} s`;
  });
}

/** Checks that the operators' page is there. */
async function checkPage(output: string): Promise<void> {
  const [, url = ""] = /^ {2}dashboard +(\S+)$/mu.exec(output) ?? [];
  const page = await fetch(url);
  const html = await page.text();
  assert.equal(page.status, 200, html);
  assert.match(html, /<script/u);
}

/** Returns the commands of the quick start, which a reader pastes beside `tillkit dev`. */
function quickStart(): string {
  const page = pages().find(({ path }) => path === "docs/guide/quick-start.md");
  const block =
    page && shellBlocksOf(page).find(({ mark, code }) => mark === "step" && code.includes("curl "));
  if (block === undefined) throw new Error("The quick start has no commands for curl");
  return block.code;
}
