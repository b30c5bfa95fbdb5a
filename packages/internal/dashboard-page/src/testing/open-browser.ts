import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { root } from "@tillkit/repository";
import { type BrowserServer, chromium } from "playwright-core";

/** Where systems install Chromium. */
const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
/** A container has no user namespaces for the sandbox, and little shared memory. */
const ARGUMENTS = [
  "--lang=en-US",
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--font-render-hinting=none",
];
const CACHE = `${root}node_modules/.cache/tillkit-chromium`;

/**
 * Starts Chromium without a window: the one in `CHROMIUM`, the one of the system, or else the one
 * that npm has installed.
 *
 * @returns the server, to which `chromium.connect(server.wsEndpoint())` connects.
 */
export async function openBrowser(): Promise<BrowserServer> {
  const { CHROMIUM = "" } = process.env;
  const installed = [CHROMIUM, ...INSTALLED].find((path) => path !== "" && existsSync(path));
  if (installed !== undefined) return chromium.launchServer({ executablePath: installed, args: ARGUMENTS });
  const folder = await unpackedChromium();
  const { LD_LIBRARY_PATH = "" } = process.env;
  return chromium.launchServer({
    executablePath: `${folder}/chromium`,
    args: ARGUMENTS,
    // The folder has the libraries that a small system lacks. Those of the system come first.
    env: { ...process.env, LD_LIBRARY_PATH: `${LD_LIBRARY_PATH}:${folder}/al2023/lib` },
  });
}

/** Unpacks the Chromium of npm and its libraries once, and returns their folder. */
async function unpackedChromium(): Promise<string> {
  const folder = `${CACHE}/unpacked`;
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const unpacking = await mkdtemp(`${CACHE}/unpacking-`);
  // The package unpacks into `TMPDIR`, and unpacks its libraries only if it seems to run on AWS
  // Lambda.
  const { TMPDIR, AWS_EXECUTION_ENV } = process.env;
  process.env["TMPDIR"] = unpacking;
  process.env["AWS_EXECUTION_ENV"] = "AWS_Lambda_nodejs20.x";
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    await packed.executablePath();
  } finally {
    restore("TMPDIR", TMPDIR);
    restore("AWS_EXECUTION_ENV", AWS_EXECUTION_ENV);
  }
  // Another process may have been faster.
  if (existsSync(folder)) await rm(unpacking, { recursive: true });
  else await rename(unpacking, folder);
  return folder;
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
}
