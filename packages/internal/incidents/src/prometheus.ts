import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { freePort } from "./free-port.js";

/** Where Debian's package installs the program. */
const PROGRAM = "/usr/bin/prometheus";

/** An alert that fires. */
export interface FiringAlert {
  readonly name: string;
  readonly summary: string;
}

/** A Prometheus that reads the metrics of hosts and evaluates the rules. */
export interface Prometheus {
  /** Returns the alerts that fire now. */
  firing(): Promise<readonly FiringAlert[]>;
  stop(): Promise<void>;
}

/** Whether this machine has Prometheus. */
export async function hasPrometheus(): Promise<boolean> {
  return access(PROGRAM).then(
    () => true,
    () => false,
  );
}

const alerts = z.object({
  data: z.object({
    alerts: z.array(
      z.object({
        state: z.string(),
        labels: z.object({ alertname: z.string() }),
        annotations: z.object({ summary: z.string() }),
      }),
    ),
  }),
});

const result = z.object({ data: z.object({ result: z.array(z.unknown()) }) });

/**
 * Starts Prometheus, and resolves when it has read the metrics of a host and no alert fires.
 *
 * @param rules - the text of its rules.
 * @param targets - the hosts, as `host:port`.
 */
export async function startPrometheus(
  folder: string,
  rules: string,
  targets: readonly string[],
): Promise<Prometheus> {
  await mkdir(folder);
  await writeFile(join(folder, "rules.yaml"), rules);
  const config = {
    global: { scrape_interval: "2s", scrape_timeout: "2s", evaluation_interval: "1s" },
    rule_files: ["rules.yaml"],
    scrape_configs: [{ job_name: "tillkit", static_configs: [{ targets }] }],
  };
  const configFile = join(folder, "prometheus.yaml");
  await writeFile(configFile, JSON.stringify(config));
  const port = await freePort();
  const child = spawn(
    PROGRAM,
    [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const ended = once(child, "close");
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string): Promise<unknown> => (await fetch(`${url}/api/v1/${path}`)).json();
  const firing = async (): Promise<readonly FiringAlert[]> =>
    alerts
      .parse(await ask("alerts"))
      .data.alerts.filter(({ state }) => state === "firing")
      .map(({ labels, annotations }) => ({ name: labels.alertname, summary: annotations.summary }));
  const hasRead = async (): Promise<boolean> =>
    result.parse(await ask("query?query=tillkit_record_readable")).data.result.length > 0;
  // Prometheus takes some seconds until it knows its targets, and `TillkitNoHostReports` may fire.
  const isReady = async (): Promise<boolean> => (await hasRead()) && (await firing()).length === 0;
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null) throw new Error("Prometheus did not start. Its message is above.");
    await pause(100);
  }
  return {
    firing,
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
