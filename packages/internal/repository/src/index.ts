export { type Finished, run, runOrThrow, secondsSince } from "./run.js";
export { withTemporaryFolder } from "./temporary-folder.js";
export {
  neighbours,
  promisedFiles,
  publicFiles,
  publishablePackages,
  readJsonFile,
  root,
  type Workspace,
  workspaceAt,
  workspacesIn,
} from "./workspaces.js";
