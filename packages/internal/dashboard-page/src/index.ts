export { buildPage } from "./build-page.js";
export { ensurePage } from "./ensure-page.js";
