/** The names and words of generated courses, and how common they are. */

const splitWords = (text: string) => text.split(',').map((word) => word.trim())

/** The subjects of courses by category, with the most common subject first. */
export const topics = {
  technology: splitWords(`
    Python, JavaScript, Web Development, SQL, Machine Learning, Java, React, Linux, Data Analysis, C++,
    TypeScript, Cloud Computing, Docker, Algorithms, C#, Git, Cybersecurity, Kubernetes, .NET, Statistics, Rust,
    Mobile Apps, Networking, Deep Learning, Testing, Databases, Go, Robotics, Compilers, Embedded Systems`),
  business: splitWords(`
    Project Management, Leadership, Accounting, Strategy, Excel, Negotiation, Finance, Entrepreneurship,
    Operations, Communication, Economics, Supply Chains, Human Resources, Business Law, Sales, Consulting,
    Bookkeeping, Public Speaking, Risk Management, Procurement`),
  design: splitWords(`
    Typography, Interface Design, Illustration, Color, User Research, Branding, Animation, Prototyping,
    Graphic Design, Layout, Accessibility, Lettering, Interior Design, Design Systems, Product Design,
    3D Modeling`),
  marketing: splitWords(`
    Digital Marketing, Search Engine Optimization, Copywriting, E-mail Marketing, Social Media, Advertising,
    Market Research, Content Strategy, Analytics, Public Relations, Storytelling, Newsletters`),
  photography: splitWords(`
    Portrait Photography, Lighting, Composition, Photo Editing, Landscape Photography, Street Photography,
    Video Editing, Black and White, Film Cameras, Food Photography`),
}

/** The shares of the categories, levels and languages, in percent. */
export const categoryShares = {
  technology: 46,
  business: 24,
  design: 14,
  marketing: 11,
  photography: 5,
}
export const levelShares = { beginner: 52, intermediate: 33, advanced: 15 }
export const languageShares = {
  English: 62,
  Spanish: 11,
  Portuguese: 7,
  German: 5,
  French: 5,
  Japanese: 3,
  Italian: 2,
  Turkish: 2,
  Polish: 1,
  Dutch: 1,
  Arabic: 1,
}

/** The beginnings and endings of titles, with the most common one first. */
export const beginnings = splitWords(`
  Introduction to, The Complete, Practical, Advanced, Learn, Mastering, A First Course in, Modern, Essential,
  Applied`)
export const endings = splitWords(`
  for Beginners, in Practice, from Scratch, for Teams, Step by Step, for Professionals, Bootcamp, Fundamentals,
  at Work, in a Week`)
/** The words of sentences, with the most common word first. */
export const plainWords = splitWords(`
  the, and, to, with, a, of, you, for, your, in, that, from, how, is, it, on, learn, by, what, course, work,
  build, real, one, use, design, small, projects, each, write, people, good, make, first, time, simple, tools,
  clear, data, plan, examples, exercises, every, without, own, team, lessons, weeks, start, ideas, test, read,
  until, step, skills, questions, methods, problems, results, business, customers, analysis, models, practice`)
export const givenNames = splitWords(`
  Amara, Elena, Hiroshi, Sofía, Tomasz, Ingrid, José, Priya, Piet, Camila, Noor, Mei, David, Anna, Émile, Jürgen,
  Zoë, Ali, Ravi, Grace, Olga, Kwame, Lena, Marek, Yuki, Omar, Ines, Björn, Chloé, Ana`)
/** The syllables of invented words and last names. */
export const syllables = splitWords(`
  ba, ren, to, mi, las, kor, ve, nin, da, shu, pel, ro, gan, ti, mo, ler, sa, fen, do, wick, ha, lund, or, es,
  qui, zan, bre, cha, ni, ston`)
