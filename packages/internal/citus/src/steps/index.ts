export { type Outcome, outcomeOf } from "../outcome.js";
export { newStepRunner } from "../step-runner.js";
export { auditLine, auditProblems } from "./audit-problems.js";
export { runSuites } from "./run-suites.js";
