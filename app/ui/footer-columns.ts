import type { FooterColumn } from './brand'

/** Links without a page of their own yet are placeholder anchors, as the specification has them. */
export const footerColumns = (name: string): readonly FooterColumn[] => [
  {
    title: 'Learn',
    links: [
      ['All courses', '/AllCourses'],
      ['Sample course', '/OneCourse'],
      ['Your profile', '/Profile'],
    ],
  },
  {
    title: 'Teach',
    links: [
      ['Become an instructor', '/Instructor'],
      ['Teaching guide', '#'],
      ['Community', '#'],
    ],
  },
  {
    title: name,
    links: [
      ['About', '#'],
      ['Help', '#'],
      ['Privacy', '/Privacy'],
      ['Terms', '/Terms'],
    ],
  },
]
