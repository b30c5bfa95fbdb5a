import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { runOrThrow, secondsSince } from "@tillkit/repository";
import { install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";

/** How long it takes at most on an idle machine: from nothing to a paid order. */
const IDLE_SECONDS = 60;
/** A machine that does other work takes longer. */
const MAX_SECONDS = 4 * IDLE_SECONDS;

const order = z.object({ code: z.literal(0), data: z.object({ paymentStatus: z.string() }) });

/** Installs the command line with an empty cache, runs `tillkit dev`, and pays an order. */
export const dev: AdoptionStep = {
  name: "dev",
  shows: "tillkit dev from npm alone: from an empty folder to a paid order by the printed lines",
  run: async ({ folder, tarballs }) => {
    const start = performance.now();
    await install(folder, tarballs, ["tillkit"], [], { npm_config_cache: `${folder}/cache` });
    const installed = secondsSince(start);
    const child = spawn(`${folder}/node_modules/.bin/tillkit`, ["dev", "--port", "0"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "close");
    let output = "";
    const ready = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
          if (output.includes("Press Ctrl+C")) resolve();
        });
    });
    try {
      await Promise.race([ready, ended]);
      const lines = output.split("\n").filter((line) => line.includes("curl "));
      const answers: string[] = [];
      // The first three create an order, pay it and read it.
      for (const line of lines.slice(0, 3)) answers.push(await runOrThrow("bash", ["-c", line], folder));
      assert.equal(order.parse(JSON.parse(answers[2] ?? "null")).data.paymentStatus, "PAID");
      const paid = (performance.now() - start) / 1_000;
      await checkPage(output);
      child.kill("SIGINT");
      assert.deepEqual(await ended, [0, null]);
      const figures = `installed after ${installed} s, paid after ${paid.toFixed(1)} s`;
      assert.ok(paid <= MAX_SECONDS, `${figures}; at most ${MAX_SECONDS} s`);
      return `${figures}; on an idle machine at most ${IDLE_SECONDS} s`;
    } catch (cause) {
      throw new Error(`tillkit dev failed\n${output}`, { cause });
    } finally {
      child.kill("SIGKILL");
    }
  },
};

/** Checks that the operators' page is there. */
async function checkPage(output: string): Promise<void> {
  const [, url = ""] = /^ {2}dashboard +(\S+)$/mu.exec(output) ?? [];
  const page = await fetch(url);
  const html = await page.text();
  assert.equal(page.status, 200, html);
  assert.match(html, /<script/u);
}
