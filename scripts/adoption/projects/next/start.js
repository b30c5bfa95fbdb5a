// Runs `next start` on a free port, and prints its address.
import { spawn } from "node:child_process";
import { createServer } from "node:net";

const probe = createServer().listen(0, "127.0.0.1");
await new Promise((resolve) => probe.once("listening", resolve));
const { port } = probe.address();
await new Promise((resolve) => probe.close(resolve));

const args = ["node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1", "--port", String(port)];
const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
child.stdout.on("data", (text) => {
  if (String(text).includes("Ready")) console.log(`listening http://127.0.0.1:${port} `);
});
child.once("exit", (code) => process.exit(code ?? 0));
process.once("SIGTERM", () => child.kill("SIGTERM"));
