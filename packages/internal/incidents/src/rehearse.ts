import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LocalPostgres } from "@tillkit/local-postgres";
import { root } from "@tillkit/repository";
import { z } from "zod";
import type { Cause, Incident } from "./incident.js";
import { type FiringAlert, type Prometheus, startPrometheus } from "./prometheus.js";
import { openScenario, type Scenario } from "./scenario.js";
import { shortenRules } from "./shorten-rules.js";

/** The result of one rehearsal. */
export interface Outcome {
  /** The alert that fired first. Absent if none fired. */
  readonly alert?: FiringAlert;
  /** From the beginning of the incident to the first alert, in seconds. */
  readonly seconds: number;
  /** The line of the log or of the output that names the cause. */
  readonly cause?: string;
  /** Why the rehearsal failed. Absent if it succeeded. */
  readonly problem?: string;
}

/** How much faster the times of the alerts pass. */
const FACTOR = 30;
/** How long no alert may fire before the incident, in milliseconds. */
const QUIET = 5_000;
/** How long a rehearsal waits for its alert, or watches that no alert fires, in milliseconds. */
const LONGEST = 90_000;
const LONGEST_SILENCE = 45_000;
/** How long the cause may take to appear after the alert, in milliseconds. */
const LATEST_CAUSE = 20_000;

/** How much of a log or of an output is shown, in lines and characters. */
const SHOWN_LINES = 10;
const SHOWN_TEXT = 240;
const SHOWN_BEFORE = 60;

/** Stages an incident on a new host, and waits for its alert and its cause. */
export async function rehearse(incident: Incident, server: LocalPostgres, folder: string): Promise<Outcome> {
  await mkdir(folder);
  const scenario = await openScenario(server, folder, incident.host);
  const end = new AbortController();
  let prometheus: Prometheus | undefined;
  try {
    await incident.prepare?.(scenario);
    await scenario.startHost();
    const rules = shortenRules(
      await readFile(`${root}ops/prometheus-rules.yaml`, "utf8"),
      incident.factor ?? FACTOR,
    );
    prometheus = await startPrometheus(join(folder, "prometheus"), rules, scenario.targets());
    const early = await firstAlert(prometheus, QUIET);
    if (early !== undefined) return { seconds: 0, alert: early, problem: "fired before the incident" };
    const startedAt = performance.now();
    const staged = incident.stage(scenario, end.signal);
    const alert = await Promise.race([
      firstAlert(prometheus, incident.alerts.length === 0 ? LONGEST_SILENCE : LONGEST),
      staged.then(() => new Promise<never>(() => undefined)),
    ]);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const { cause, seen } = await causeIn(scenario, incident.cause);
    end.abort();
    await staged;
    return {
      seconds,
      ...(alert === undefined ? {} : { alert }),
      ...(cause === undefined ? {} : { cause }),
      ...problemOf(incident, alert, cause === undefined ? seen : undefined),
    };
  } finally {
    end.abort();
    await prometheus?.stop();
    await scenario.close();
  }
}

/** @param seen - what was shown instead of the cause. Absent if the cause was shown. */
function problemOf(
  { alerts }: Incident,
  alert: FiringAlert | undefined,
  seen: string | undefined,
): Pick<Outcome, "problem"> {
  if (alerts.length > 0 && alert === undefined) return { problem: "no alert fired" };
  if (alert !== undefined && !alerts.includes(alert.name))
    return { problem: alerts.length === 0 ? "an alert fired" : `expected ${alerts.join(" or ")}` };
  return seen === undefined ? {} : { problem: `nothing named the cause, only: ${seen}` };
}

/** Resolves with the first alert that fires within `ms`. */
async function firstAlert(prometheus: Prometheus, ms: number): Promise<FiringAlert | undefined> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const [first] = await prometheus.firing();
    if (first !== undefined) return first;
    await pause(250);
  }
  return undefined;
}

/** Resolves with the text that shows the cause, or with what was shown instead. */
async function causeIn(
  scenario: Scenario,
  cause: Cause,
): Promise<{ readonly cause?: string; readonly seen: string }> {
  const until = performance.now() + LATEST_CAUSE;
  for (;;) {
    const lines = await linesOf(scenario, cause);
    const found = lines.find((line) => cause.shows.test(line));
    const seen = lines.slice(-SHOWN_LINES).join("\n");
    if (found !== undefined) return { cause: excerptOf(found, cause.shows), seen };
    if (performance.now() > until) return { seen };
    await pause(500);
  }
}

/** Returns the part of a long line that shows the cause. */
function excerptOf(line: string, shows: RegExp): string {
  const at = line.search(shows);
  const from = line.length <= SHOWN_TEXT ? 0 : Math.max(0, at - SHOWN_BEFORE);
  const text = line.slice(from, from + SHOWN_TEXT).trim();
  return `${from > 0 ? "…" : ""}${text}${from + SHOWN_TEXT < line.length ? "…" : ""}`;
}

const message = z.object({ msg: z.string() });

async function linesOf(scenario: Scenario, cause: Cause): Promise<readonly string[]> {
  if ("log" in cause) return scenario.log().filter((line) => isAbout(line, cause.log));
  const [, ...words] = cause.command.split(" ");
  const more = cause.with?.(scenario) ?? [];
  const { text } = await scenario.tillkit([...words, ...more]);
  return text.split("\n");
}

function isAbout(line: string, wanted: string): boolean {
  if (!line.startsWith("{")) return false;
  return message.parse(JSON.parse(line)).msg.startsWith(wanted);
}
