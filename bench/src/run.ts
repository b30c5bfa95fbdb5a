import { pathToFileURL } from "node:url";
import { publishedProgram } from "@tillkit/built-program";

// Rows that run in this process measure what users run, like the servers of the other rows.
await import(pathToFileURL(await publishedProgram(new URL("main.ts", import.meta.url))).href);
