// A host without options, for the tests that need its process.
import { serveTillkit } from "../serve-tillkit.js";

await serveTillkit();
