export { rehearse, type RehearseOptions, type RehearsedHost } from "./rehearse.js";
