import { loadModule } from 'libpg-query'
import { beforeAll, describe, expect, it } from 'vitest'
import { listJoinedLearners } from '../support/joined-learners'

const relations = new Map([
  ['users', { columns: ['id', 'name'], learner: 'id' }],
  ['notes', { columns: ['uid', 'id', 'course_id'], learner: 'uid' }],
  ['wishes', { columns: ['uid', 'course_id'], learner: 'uid' }],
  ['courses', { columns: ['id', 'title'], learner: null }],
])
const found = (statement: string, ...values: string[]) => listJoinedLearners(statement, values, relations).length

beforeAll(loadModule)

describe('a statement joins no learners', () => {
  it.each([
    'select from notes',
    'select from notes n join wishes w on w.uid = n.uid',
    'select from notes n, wishes w where w.uid = n.uid and n.course_id = w.course_id',
    'select from notes n join wishes w using (uid)',
    'select from notes n left join wishes w on (w.uid, w.course_id) = (n.uid, n.course_id)',
    'select from courses c join notes n on n.course_id = c.id',
    'select from users where exists (select from notes where uid = users.id)',
    'select from users where id in (select uid from notes)',
    'select (select count(*) from notes where uid = u.id) from users u join wishes w on w.uid = u.id',
    'select from users u cross join lateral (select id from notes n where n.uid = u.id) n',
    'select from (select uid from notes) n join (select uid from wishes) w on w.uid = n.uid',
    'with mine as (select uid, id from notes) select from mine join wishes w on w.uid = mine.uid',
    'select uid from notes union all select uid from wishes',
    'select from (select uid from notes union select uid from wishes) b join users u on u.id = b.uid',
    'insert into notes (uid, id) select u.id, w.course_id from users u join wishes w on w.uid = u.id',
    'update notes n set id = w.course_id from wishes w where w.uid = n.uid',
    'delete from notes n using wishes w where w.uid = n.uid',
  ])('that says the learner is the same: %s', (statement) => {
    expect(found(statement)).toBe(0)
  })

  it.each([
    'select from notes n, wishes w where n.uid = $1 and w.uid = $2',
    'select from notes n join wishes w on true where n.uid = $1::text and w.uid = $2',
    'with mine as (select id from notes where uid = $1) select from mine, wishes w where w.uid = $2',
    'with gone as (delete from notes where uid = $1 returning id) select (select count(*) from wishes where uid = $2) from gone',
    'insert into notes (uid, id) select $1, course_id from wishes where uid = $2',
    'insert into notes (uid, id) values ($1, (select course_id from wishes where uid = $2))',
    'select from users where id = $1 and not exists (select from notes where uid = $2)',
  ])('where one learner is asked for, and some are where two are: %s', (statement) => {
    expect([found(statement, 'ada', 'ada'), found(statement, 'ada', 'bob')]).toEqual([0, 1])
  })
})

describe('a statement joins learners', () => {
  it.each([
    'select from notes n, wishes w',
    'select from notes n join wishes w on w.course_id = n.course_id',
    'select from notes n join notes o on o.id = n.id',
    'select from notes n join wishes w on w.uid = n.uid or w.course_id = n.course_id',
    'select from notes n join wishes w on not w.uid = n.uid',
    'select from notes n join wishes w on w.uid = n.course_id',
    'select from users where exists (select from notes where id = users.id)',
    'select (select count(*) from notes) from users',
    'select from users u join (select count(*) from notes) n on true',
    'select from users u cross join lateral (select id from notes where course_id = u.name) n',
    'with all_notes as (select uid, id from notes) select from all_notes n join all_notes o on o.id = n.id',
    'with all_notes as (select id from notes) select from all_notes n join wishes w on w.course_id = n.id',
    'select from (select uid from notes union select course_id from wishes) b join users u on u.id = b.uid',
    'insert into notes (uid, id) select w.course_id, w.uid from wishes w',
    'update notes n set id = w.course_id from wishes w where w.course_id = n.course_id',
    'update notes set id = (select max(course_id) from wishes)',
    'delete from notes n using wishes w where w.course_id = n.course_id',
  ])('that does not say so: %s', (statement) => {
    expect(found(statement)).toBeGreaterThan(0)
  })
})
