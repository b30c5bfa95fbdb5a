export { fetchHandler, type FetchHandlerOptions } from "./fetch-handler.js";
