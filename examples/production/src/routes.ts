import express from "express";

/** Your own routes on `PORT`, such as the page to which a wallet returns the customer. */
export const routes = express();
routes.disable("x-powered-by");
routes.get("/thanks", (_request, response) => {
  response.type("text/plain").send("Thank you for your order.\n");
});
