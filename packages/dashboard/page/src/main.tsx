import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./app/query-client.js";
import { createPageRouter } from "./app/router.js";
import { applyTheme, storedTheme } from "./app/theme.js";
import "./styles/index.css";

applyTheme(storedTheme());
const queryClient = createQueryClient();
const router = createPageRouter(queryClient);
const place = document.getElementById("page");
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
