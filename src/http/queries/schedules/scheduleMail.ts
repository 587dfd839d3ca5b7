import { isLikeAddress, oneLine } from '#accounts/index.ts'
import { SCHEDULE_LIMITS, type ScheduleFailure } from '#queries/index.ts'
import type { Problem } from '../../contract.ts'

const NAME_LENGTH = 120

/**
 * Email to the owner of a schedule. Team members can write the name and text of a query, so it quotes nothing that an email client
 * would turn into a link. The page shows the full problem.
 */
export function scheduleMail(
  { query, name: given, problem, isPaused, failures }: ScheduleFailure,
  publicUrl: string,
): { readonly subject: string; readonly text: string } {
  const name = oneLine(given, NAME_LENGTH)
  const what = name === '' || isLikeAddress(name) ? 'one of your saved queries' : `"${name}"`
  const reason = `Reason: ${(problem as Pick<Problem, 'title'>).title}.`
  const link = `${publicUrl}/Query?id=${query}`
  return isPaused
    ? {
        subject: 'A scheduled query paused on Assay',
        text: `Hello,\n\nThe schedule of ${what} paused${failures >= SCHEDULE_LIMITS.failures ? ` after ${failures} failed runs in a row` : ''}. ${reason}\n\nOpen the query, choose Schedule to see why, and save the schedule to resume it:\n\n${link}`,
      }
    : {
        subject: 'A scheduled query failed on Assay',
        text: `Hello,\n\nThe scheduled run of ${what} failed. ${reason}\n\nIt runs again at the next scheduled time and pauses after ${SCHEDULE_LIMITS.failures} failed runs in a row. Open the query and choose Schedule to see why:\n\n${link}`,
      }
}
