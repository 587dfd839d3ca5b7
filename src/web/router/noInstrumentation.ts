/** In the browser's scripts in the place of React Router's instrumentation (`vite.config.ts`): no page asks for any. */
export const consumeInstrumentationClientResultMetaReceiver = (): undefined => undefined
export const getRouteInstrumentationUpdates = (): Record<string, never> => ({})
export const instrumentClientSideRouter = <Router>(router: Router): Router => router
