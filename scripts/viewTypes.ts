/** Notes the types of all views' columns in `src/warehouse/viewTypes.json`. Run it when a view has changed. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { testCatalog } from '../src/catalog/testing.ts'
import { askTypes } from '../src/warehouse/migrate.ts'
import { schemaOf } from '../src/warehouse/schema.ts'
import { openTestWarehouse } from '../src/warehouse/testing.ts'
import { withoutLayers } from '../src/warehouse/types.ts'
import { markOf, type NotedTypes } from '../src/warehouse/viewTypes.ts'

await using warehouse = await openTestWarehouse()
const catalog = await testCatalog()
const layers = catalog.evm.map(({ id }) => id)
const noted: Record<string, NotedTypes> = {}
for (const view of schemaOf(catalog).views.filter(({ types }) => types === undefined))
  noted[view.name] = {
    of: markOf(view),
    types: Object.fromEntries(
      Object.entries(await askTypes(warehouse.writer, view)).map(([name, type]) => [
        name,
        withoutLayers(type, layers),
      ]),
    ),
  }
writeFileSync(
  fileURLToPath(new URL('../src/warehouse/viewTypes.json', import.meta.url)),
  `${JSON.stringify(noted, null, 2)}\n`,
)
console.log(`${Object.keys(noted).length} views noted`)
