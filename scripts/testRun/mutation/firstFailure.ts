import process from 'node:process'
import type { TestEvent } from 'node:test/reporters'

/** A reporter that ends the process at the first failed test: one is enough to kill a mutant. */
export default async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:fail' && event.data.todo === undefined) process.exit(1)
  }
  yield ''
}
