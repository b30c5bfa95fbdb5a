export type { HttpReply, HttpRequest, Surface } from "./request.js";
