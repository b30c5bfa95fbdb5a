import type { Incident } from "../incident.js";
import { repeat } from "../repeat.js";

/** Lets a worker hang in a function with this name, as a faulty route of the host could. */
const HANGING = `process.on("SIGUSR2", function searchForever() { for (;;); });`;

/** Incidents of the processes of a host. */
export const PROCESS_INCIDENTS: readonly Incident[] = [
  {
    name: "Worker hangs",
    alerts: ["TillkitWorkerCrashes"],
    cause: { log: "worker does not answer", shows: /searchForever/ },
    host: {
      WORKER_DEADLINE_MS: "5000",
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HANGING)}`,
    },
    stage: async (scenario) => {
      const [worker = 0] = scenario.workers();
      process.kill(worker, "SIGUSR2");
    },
  },
  {
    name: "Five times the load",
    alerts: ["TillkitRequestsRefused"],
    cause: { log: "requests refused", shows: /"surface":"payments","count":\d+/ },
    host: { MAX_CONCURRENT_REQUESTS: "4", MAX_QUEUED_REQUESTS: "0" },
    stage: (scenario, signal) =>
      repeat(signal, 50, () =>
        // A host with two workers runs at most eight requests at once.
        Promise.all(Array.from({ length: 40 }, () => scenario.ask("/payTools.json"))),
      ),
  },
  {
    name: "Restart of the host",
    alerts: [],
    // A restart takes seconds, however fast the times of the alerts pass.
    factor: 4,
    cause: { log: "the replacement of the workers ended", shows: /ended/ },
    stage: async (scenario, signal) => {
      await scenario.buy("before-the-restart");
      await scenario.signalHost("SIGTERM");
      await scenario.startHost();
      await scenario.signalHost("SIGHUP");
      await repeat(signal, 1_000, (nth) => scenario.buy(`restarted-${nth}`));
    },
  },
];
