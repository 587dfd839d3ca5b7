import type { TokenRule } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { quoted, quotedList } from '../rollups/sqlText.ts'

/** Texts and comments of a source: no code. */
const TEXTS = String.raw`"(?:[^"\\]|\\.)*"|;[^\n]*`

/** What an array function gives of each top form of a source: what stands between its parentheses at the outermost level. */
const FORMS = `code AS (
    SELECT
      replaceRegexpAll(replaceRegexpAll(c.source_code, ${quoted(TEXTS)}, ''), ${quoted(String.raw`\s+`)}, ' ') AS text,
      splitByString('', text) AS letters,
      arrayCumSum(letter -> multiIf(letter = '(', 1, letter = ')', -1, 0), letters) AS depth,
      arrayFilter(i -> letters[i] = '(' AND depth[i] = 1, arrayEnumerate(letters)) AS starts,
      arrayFilter(i -> letters[i] = ')' AND depth[i] = 0, arrayEnumerate(letters)) AS ends,
      arrayMap((start, end) -> substringUTF8(text, start, end - start + 1), starts, arrayResize(ends, length(starts), toUInt32(length(letters)))) AS forms,
      arrayMap(
        form -> (extract(form, ${quoted(String.raw`^\(define-private\s+\(\s*([^\s()]+)`)}), form),
        arrayFilter(form -> startsWith(form, '(define-private'), forms)
      ) AS privates
    FROM stx_contracts AS c
    WHERE c.contract = {CONTRACT} AND c.source_code != ''
    ORDER BY c.height DESC
    LIMIT 1
  ),
  bodies AS (
    SELECT arrayMap(
      form -> concat(form, arrayStringConcat(arrayMap(
        one -> one.2, arrayFilter(one -> one.1 != '' AND position(form, concat('(', one.1)) > 0, privates)
      ))),
      arrayFilter(form -> startsWith(form, '(define-public'), forms)
    ) AS publics
    FROM code
  )`

/** Whether a rule holds of a public function, with the private functions that it calls itself. */
const holds = ({ in: inside, lacks = [] }: TokenRule): string =>
  `arrayExists(body -> match(body, ${quoted(inside)})${lacks.map(pattern => ` AND NOT match(body, ${quoted(pattern)})`).join('')}, b.publics)`

/** SQL: 1 for each rule that holds of the source of a contract, else 0, on the day of the newest block held. */
export const tokenFlagsSql = (rules: readonly TokenRule[], contract: string): string => `WITH
  ${FORMS.replace('{CONTRACT}', quoted(contract))},
  newest AS (SELECT bucket AS day, from_height, to_height, last_time FROM stx_block_days ORDER BY bucket DESC LIMIT 1)
SELECT
  n.day AS day, flag.1 AS key, flag.2 AS value, 'whole' AS state, 'stacks.chain' AS source,
  n.from_height AS from_height, n.to_height AS to_height, n.last_time AS as_of
FROM newest AS n
CROSS JOIN (SELECT arrayJoin(arrayZip([${quotedList(rules.map(({ id }) => id))}], [${rules.map(rule => `toInt64(${holds(rule)})`).join(', ')}])) AS flag FROM bodies AS b) AS f
WHERE n.day ${RANGE}
ORDER BY day, key`
