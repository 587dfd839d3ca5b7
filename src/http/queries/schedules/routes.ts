import { z } from 'zod'
import { demandPerson } from '#accounts/index.ts'
import { SCHEDULE_LIMITS, type ScheduleState, type Schedules } from '#queries/index.ts'
import { type AnyRoute, done, json, route } from '../../route.ts'
import { ownerOf, readerOf, requireOwner } from '../callers.ts'
import { runId } from '../schema.ts'
import { querySchedule, scheduleRequest } from './schema.ts'

const PATH = '/api/v1/queries/:id/schedule'
const answerOf = (state: ScheduleState) =>
  json({ ...state, limits: { schedules: SCHEDULE_LIMITS.ofOwner, failures: SCHEDULE_LIMITS.failures } })

/** Schedules of saved queries: their owners set them, whoever may read the query sees the latest result. */
export const scheduleRoutes = (schedules: Schedules): AnyRoute[] => [
  route({
    method: 'GET',
    path: PATH,
    id: 'readQuerySchedule',
    summary: 'Schedule of a saved query, with the latest scheduled result',
    params: runId,
    answer: { schema: querySchedule },
    problems: [401, 403, 404],
    kept: 'never',
    who: 'anyone',
    isForNamedQueries: true,
    handle: async ({ params: { id }, person }) => answerOf(await schedules.read(id, readerOf(id, person))),
  }),
  route({
    method: 'PUT',
    path: PATH,
    id: 'scheduleQuery',
    isUsersOwn: true,
    summary: 'Schedules a saved query of the caller, or resumes its schedule',
    params: runId,
    body: scheduleRequest,
    answer: { schema: querySchedule },
    problems: [401, 403, 404, 409, 413, 415, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { id }, body, ...who }) =>
      answerOf(
        await schedules.set(
          id,
          { ...body, email: demandPerson(who.person).email },
          requireOwner(who, 'write:own'),
        ),
      ),
  }),
  route({
    method: 'DELETE',
    path: PATH,
    id: 'unscheduleQuery',
    isUsersOwn: true,
    summary: 'Deletes the schedule of a saved query',
    params: runId,
    answer: { schema: z.null(), isEmpty: true },
    problems: [401, 403, 404, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { id }, person }) => {
      await schedules.remove(id, ownerOf(demandPerson(person), 'write:own') ?? '')
      return done()
    },
  }),
]
