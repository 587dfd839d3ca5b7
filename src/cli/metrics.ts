import { Command } from 'commander'
import { ConfigError } from '#kernel/errors.ts'
import { explanationLines, readExplanation } from './explain.ts'
import { printLine } from './output.ts'
import { withRooms } from './withRooms.ts'

type ListOptions = { entity?: string; json: boolean }
type ExplainOptions = { entity?: string; day?: string; json: boolean }

export const metricsCommand = (): Command =>
  new Command('metrics')
    .description('what figures there are, and what each rests on')
    .addCommand(
      new Command('list')
        .description('every metric, one a line')
        .option('--entity <name>', 'only those of one chain, layer, protocol or token')
        .option('--json', 'as one JSON array', false)
        .action(list),
    )
    .addCommand(
      new Command('explain')
        .description(
          'what a figure says, its SQL, its sources with their ages, its blocks and what others say',
        )
        .argument('<id>', 'metric, such as tvl.total')
        .option('--entity <name>', 'whom it is about; needed where there are several')
        .option('--day <day>', 'one UTC day, such as 2026-08-05; default: the latest ten')
        .option('--json', 'as one JSON object', false)
        .action(explain),
    )

const list = ({ entity, json }: ListOptions): Promise<void> =>
  withRooms(async ({ metrics }) => {
    const all = await metrics.list()
    const found = entity === undefined ? all : all.filter(({ entities }) => entities.includes(entity))
    if (json) return void (await printLine(JSON.stringify(found)))
    if (found.length === 0)
      throw new ConfigError('cli.metrics_entity', `No metric is about ${JSON.stringify(entity)}.`, {
        hint: 'assay metrics list names whom each metric is about.',
      })
    for (const { id, entityKind, entities, unit, name } of found) {
      const whom = entities.length > 3 ? `${entities.length} of kind ${entityKind}` : entities.join(', ')
      if (!(await printLine(`${id.padEnd(26)} ${unit.padEnd(12)} ${name} (${whom})`))) return
    }
  })

const explain = (id: string, { entity, day, json }: ExplainOptions): Promise<void> =>
  withRooms(async ({ metrics }) => {
    const found = await readExplanation(metrics, { id, entity: entity ?? (await onlyEntity()), day })
    if (json) return void (await printLine(JSON.stringify(found)))
    for (const line of explanationLines(found)) if (!(await printLine(line))) return

    /** The entity of a metric that has one. Throws `metrics.unknown_metric`, `cli.metrics_entity`. */
    async function onlyEntity(): Promise<string> {
      await metrics.entry(id)
      const entities = (await metrics.list()).filter(one => one.id === id).flatMap(one => one.entities)
      if (entities.length === 1) return entities[0]!
      throw new ConfigError(
        'cli.metrics_entity',
        `${id} is about ${entities.length}: say which with --entity.`,
        {
          hint: `Available: ${entities.join(', ')}.`,
        },
      )
    }
  })
