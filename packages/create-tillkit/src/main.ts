#!/usr/bin/env node
import { run } from "./run.js";

process.exitCode = await run(process.argv.slice(2), {
  print: (text) => void process.stdout.write(`${text}\n`),
  printError: (text) => void process.stderr.write(`${text}\n`),
  isInteractive: process.stdin.isTTY && process.stdout.isTTY,
  userAgent: process.env["npm_config_user_agent"],
});
