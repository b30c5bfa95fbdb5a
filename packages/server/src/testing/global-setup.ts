export { default } from "@tillkit/local-postgres/vitest";
