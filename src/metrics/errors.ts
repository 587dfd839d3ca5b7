import { AssayError } from '#kernel/errors.ts'

/** What goes wrong in the metrics; `code` is `metrics.…`. A fault of a parameter names it in `facts.parameter`. */
export class MetricsError extends AssayError {}
