import { z } from 'zod'
import { AccountError, demandPerson, displayName, severalLines } from '#accounts/index.ts'
import { COMMENT_LIMITS, type Comments } from '#queries/index.ts'
import { type AnyRoute, done, json, route } from '../../route.ts'
import { ownerOf } from '../callers.ts'
import { runId } from '../schema.ts'
import { commentId, commentRequest, queryComments } from './schema.ts'

const PATH = '/api/v1/queries/:id/comments'
const { length, ofQuery, ofAuthor } = COMMENT_LIMITS
const answerOf = (comments: unknown) => json({ comments, limits: { length, ofQuery, ofAuthor } })

/** Comments on saved queries, for everybody who may read the query; signed-in users write them. */
export const commentRoutes = (comments: Comments): AnyRoute[] => [
  route({
    method: 'GET',
    path: PATH,
    id: 'listQueryComments',
    summary: 'Comments on a saved query that the caller may open',
    params: runId,
    answer: { schema: queryComments },
    problems: [401, 403, 404],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { id }, person }) =>
      answerOf(await comments.list(id, ownerOf(person, 'read:own'))),
  }),
  route({
    method: 'POST',
    path: PATH,
    id: 'commentOnQuery',
    isUsersOwn: true,
    summary: 'Adds a comment to a saved query that the caller may open',
    params: runId,
    body: commentRequest,
    answer: { schema: queryComments },
    problems: [401, 403, 404, 409, 413, 415, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { id }, body, person }) => {
      const author = demandPerson(person)
      const key = ownerOf(author, 'write:own') ?? ''
      const text = severalLines(body.text)
      if (text === '') throw new AccountError('accounts.form', 'The comment has no visible text.')
      return answerOf(await comments.add(id, text, { key, name: displayName(author) }))
    },
  }),
  route({
    method: 'DELETE',
    path: `${PATH}/:comment`,
    id: 'deleteQueryComment',
    isUsersOwn: true,
    summary: 'Deletes a comment of the caller, or on a query of theirs',
    params: commentId,
    answer: { schema: z.null(), isEmpty: true },
    problems: [401, 403, 404, 429],
    kept: 'never',
    who: 'anyone',
    handle: async ({ params: { id, comment }, person }) => {
      await comments.remove(id, comment, ownerOf(demandPerson(person), 'write:own') ?? '')
      return done()
    },
  }),
]
