/** Random paths of the desk's pages, for a school that `fillSchool` has filled. */

type DeskSubjects = {
  learnerCount: number
  orderIds: readonly string[]
  couponCodes: readonly string[]
}

/** Returns a function for each page of the desk. It returns a random path of that page. */
export function createDeskPaths({ learnerCount, orderIds, couponCodes }: DeskSubjects) {
  const pickPersonId = () => {
    // Learners with a low number are picked more often. They have more courses.
    const number = Math.floor(learnerCount * Math.random() ** 2) + 1
    return `person-${String(number).padStart(6, '0')}`
  }
  const pickOrderId = () => pickOne(orderIds)

  return {
    today: () => '/Desk',
    announcements: () => `/Desk/Announcements${formatQuery({})}`,
    newAnnouncement: () => '/Desk/Announcements/New',
    announcement: () => `/Desk/Announcements/${pickOne(['bench-sent', 'bench-draft'])}`,
    people: () => {
      const query = formatQuery({
        text: pickOne(['', pickOne(searchTexts), pickPersonId()]),
        state: pickOne(['', 'confirmed', 'unconfirmed', 'disabled', 'never']),
        course: pickOne(['', pickCourseId()]),
      })
      return `/Desk/People${query}`
    },
    imports: () => '/Desk/People/Import',
    import: () => '/Desk/People/Import/bench-import',
    person: () => `/Desk/People/${pickPersonId()}`,
    courses: () => {
      const query = new URLSearchParams({
        text: pickOne(['', 'python', 'design', 'a', 'qwxyz']),
        state: pickOne(['', 'published', 'withdrawn']),
        after: pickOne(['', '400~x']),
      })
      return `/Desk/Courses?${query}`
    },
    course: () => `/Desk/Courses/${pickCourseId()}`,
    examPreview: () => '/Desk/Preview/python-from-zero/~exam',
    coursePreview: () => `/Desk/Preview/${pickCourseId()}/~`,
    courseLearners: () =>
      `/Desk/Courses/${pickCourseId()}/Learners?after=${pickOne(['', pickPersonId()])}`,
    learnerProgress: () => `/Desk/Courses/sample-0000001/Learners/${pickPersonId()}`,
    orders: () => {
      const query = formatQuery({
        text: pickOne(['', 'python', 'a', 'qwxyz', 'ada@school.example', pickOrderId()]),
        state: pickOne(['', 'open', 'paid', 'refunded', 'canceled', 'asked']),
      })
      return `/Desk/Orders${query}`
    },
    order: () => `/Desk/Orders/${pickOrderId()}`,
    coupons: () => {
      const query = formatQuery({
        text: pickOne(['', 'class 7', 'qwxyz']),
        state: pickOne(['', 'open', 'over']),
      })
      return `/Desk/Coupons${query}`
    },
    coupon: () => `/Desk/Coupons/${pickOne(couponCodes)}`,
    gifts: () => {
      const query = formatQuery({
        text: pickOne(['', 'ada@school.example', 'zoe@school.example']),
        state: pickOne(['', 'waiting', 'redeemed', 'ended']),
      })
      return `/Desk/Gifts${query}`
    },
    reviews: () => {
      const query = formatQuery({
        state: pickOne(['', 'hidden', 'low', 'unanswered', 'reported']),
        course: pickOne(['', pickCourseId()]),
      })
      return `/Desk/Reviews${query}`
    },
    staff: () => '/Desk/Staff',
    site: () => '/Desk/Site',
    siteHistory: () => '/Desk/Site/History',
    siteText: () => '/Desk/Site/Pages/terms',
    audit: () => {
      const query = formatQuery({
        by: pickOne(['', 'bench-0', 'qwxyz']),
        act: pickOne(['', 'orders', 'learner disable', 'q']),
        subject: pickOne(['', pickPersonId()]),
        since: pickOne(['', '2026-01-31']),
      })
      return `/Desk/Audit${query}`
    },
  } satisfies Record<string, () => string>
}

/**
 * Texts to search people for: common and rare names, parts of emails, and texts without a match.
 */
const searchTexts = [
  'ada',
  'byron',
  'a',
  'zo',
  'müller-3',
  'okafor-3f',
  'ada.shelley',
  '@school.example',
  'olena',
  'Олена',
  'qwxyz',
  '%',
]

/** Returns the id of one of 1,023 courses. The courses with more learners are picked more often. */
function pickCourseId(): string {
  const number = Math.ceil(2 ** (Math.random() * 10))
  return `sample-${String(number).padStart(7, '0')}`
}

/** Formats the fields of a filter, with a cursor that is empty for the first page. */
function formatQuery(fields: Record<string, string>): string {
  return `?${new URLSearchParams({ ...fields, after: pickOne(['', createCursor()]) })}`
}

/** Returns a cursor at a random time of the last 19 months. */
function createCursor(): string {
  const time = new Date(Date.now() - Math.random() * 5e10)
  return `${time.toISOString().replace('Z', '000Z')}~x`
}

function pickOne<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}
