export { ensurePage } from "./ensure-page.js";
export { pageModule } from "./page-module.js";
