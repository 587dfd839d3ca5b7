/** Notes the types of all views' columns in `src/warehouse/viewTypes.json`. Run it when a view has changed. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { askTypes } from '../src/warehouse/migrate.ts'
import { SCHEMA } from '../src/warehouse/schema.ts'
import { openTestWarehouse } from '../src/warehouse/testing.ts'
import { markOf, type NotedTypes } from '../src/warehouse/viewTypes.ts'

await using warehouse = await openTestWarehouse()
const noted: Record<string, NotedTypes> = {}
for (const view of SCHEMA.views.filter(({ types }) => types === undefined))
  noted[view.name] = { of: markOf(view), types: await askTypes(warehouse.writer, view) }
writeFileSync(
  fileURLToPath(new URL('../src/warehouse/viewTypes.json', import.meta.url)),
  `${JSON.stringify(noted, null, 2)}\n`,
)
console.log(`${Object.keys(noted).length} views noted`)
