/** Strings, quoted names, heredocs and comments of SQL, also those that are not closed. */
const QUOTED =
  /'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|"(?:[^"\\]|\\[\s\S]|"")*(?:"|$)|`(?:[^`\\]|\\[\s\S]|``)*(?:`|$)|(\$\w*\$)[\s\S]*?(?:\1|$)|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

/** The same text with spaces in place of all that is quoted or a comment, so that every place in it stays where it is. */
export const blankSql = (sql: string): string => sql.replace(QUOTED, text => text.replace(/[^\n]/g, ' '))
