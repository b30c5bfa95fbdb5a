import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, valueOf } from "../api/client.js";

/** The apps that the operator sees. */
export const appsQuery = queryOptions({
  queryKey: ["setup", "apps"],
  queryFn: () => valueOf(api.GET("/api/setup/apps")),
});

/** The pay tools of the apps that the operator sees. */
export const payToolsQuery = queryOptions({
  queryKey: ["setup", "pay-tools"],
  queryFn: () => valueOf(api.GET("/api/setup/pay-tools")),
});

/** The service types of one app. */
export function serviceTypesQuery(app: string) {
  return queryOptions({
    queryKey: ["setup", "service-types", app],
    queryFn: () => valueOf(api.GET("/api/setup/service-types", { params: { query: { app } } })),
    enabled: app !== "",
  });
}

/** The clients of the downloads report. */
export const clientsQuery = queryOptions({
  queryKey: ["setup", "clients"],
  queryFn: () => valueOf(api.GET("/api/setup/downloads-clients")),
});

/** The test numbers of the policy. */
export const testNumbersQuery = queryOptions({
  queryKey: ["setup", "test-numbers"],
  queryFn: () => valueOf(api.GET("/api/setup/test-numbers")),
});

/** The accounts of operators. */
export const operatorsQuery = queryOptions({
  queryKey: ["setup", "operators"],
  queryFn: () => valueOf(api.GET("/api/operators")),
});

/** Returns a change of the setup. Every list of the setup loads again after it. */
export function useSetupChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: ["setup"] }),
  });
}
