import { Bootstrap } from "@midwayjs/bootstrap";
import { MainConfiguration } from "./configuration.js";
import { OwnController } from "./own-controller.js";

await Bootstrap.configure({
  appDir: `${import.meta.dirname}/..`,
  baseDir: import.meta.dirname,
  imports: [{ Configuration: MainConfiguration, OwnController }],
}).run();
