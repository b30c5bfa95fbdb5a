import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isSessionFailure } from "../api/api-error.js";
import { sessionQuery } from "../session/queries.js";

/** How often a request that did not reach the server is repeated. */
const RETRIES = 2;

/** Creates what stores the answers. If the session has ended, the page asks who the operator is. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (isSessionFailure(error)) void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) =>
          failures < RETRIES && error instanceof ApiError && error.failure === "unreachable",
      },
      // A change is repeated only by the operator.
      mutations: { retry: false },
    },
  });
  return client;
}
