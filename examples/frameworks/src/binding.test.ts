import { bindingContract } from "@tillkit/contract-tests";
import { startHono } from "./hono.js";
import { startKoa } from "./koa.js";
import { startNest } from "./nest.js";

bindingContract("Hono", (surfaces) => startHono(surfaces, 0), { urls: "parsed" });
bindingContract("Koa", (surfaces) => startKoa(surfaces, 0));
bindingContract("NestJS", (surfaces) => startNest(surfaces, 0));
