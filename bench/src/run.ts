import { pathToFileURL } from "node:url";
import { publishedProgram } from "@tillkit/built-program";

// Rows that run in this process must measure the published code, as the servers of other rows do.
await import(pathToFileURL(await publishedProgram(new URL("main.ts", import.meta.url))).href);
