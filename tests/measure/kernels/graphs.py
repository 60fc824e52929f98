"""Graphs in compressed rows."""

import numpy as np

from . import case, njit


def graph(r, n, degree):
    """Rows of an undirected graph: first edge of each vertex, and neighbours."""
    a = r.random((n, n)) < degree / n
    a |= a.T
    np.fill_diagonal(a, False)
    first = np.concatenate([[0], np.cumsum(a.sum(1))])
    return first, np.nonzero(a)[1]


@case(lambda r: (*graph(r, 800, 8), 0))
@njit
def breadth_first(first, to, source):
    n = first.size - 1
    distance = np.full(n, -1, np.int64)
    queue = np.empty(n, np.int64)
    distance[source] = 0
    queue[0] = source
    head, tail = 0, 1
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(first[v], first[v + 1]):
            w = to[k]
            if distance[w] < 0:
                distance[w] = distance[v] + 1
                queue[tail] = w
                tail += 1
    return distance


@case(lambda r: (*graph(r, 600, 6),))
@njit
def depth_first(first, to):
    n = first.size - 1
    order = np.full(n, -1, np.int64)
    stack = [0]
    seen = 0
    while len(stack) > 0:
        v = stack.pop()
        if order[v] >= 0:
            continue
        order[v] = seen
        seen += 1
        for k in range(first[v], first[v + 1]):
            if order[to[k]] < 0:
                stack.append(to[k])
    return order


@case(lambda r: (*graph(r, 400, 8), 10))
@njit
def pagerank(first, to, rounds):
    n = first.size - 1
    rank = np.full(n, 1.0 / n)
    for _ in range(rounds):
        new = np.full(n, 0.15 / n)
        for v in range(n):
            degree = first[v + 1] - first[v]
            if degree > 0:
                share = 0.85 * rank[v] / degree
                for k in range(first[v], first[v + 1]):
                    new[to[k]] += share
        rank = new
    return rank


@njit
def root_of(parent, x):
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


@case(lambda r: (2000, r.integers(0, 2000, (3000, 2))))
@njit
def union_find(n, edges):
    parent = np.arange(n)
    size = np.ones(n, np.int64)
    count = n
    for i in range(edges.shape[0]):
        a = root_of(parent, edges[i, 0])
        b = root_of(parent, edges[i, 1])
        if a != b:
            if size[a] < size[b]:
                a, b = b, a
            parent[b] = a
            size[a] += size[b]
            count -= 1
    return count


@case(lambda r: (*(g := graph(r, 300, 8)), r.random(g[1].size), 0))
@njit
def dijkstra(first, to, cost, source):
    n = first.size - 1
    distance = np.full(n, np.inf)
    distance[source] = 0.0
    keys = np.empty(to.size + 1)
    vertices = np.empty(to.size + 1, np.int64)
    keys[0] = 0.0
    vertices[0] = source
    size = 1
    while size > 0:
        d = keys[0]
        v = vertices[0]
        size -= 1
        k = keys[size]
        x = vertices[size]
        i = 0
        while True:
            c = 2 * i + 1
            if c >= size:
                break
            if c + 1 < size and keys[c + 1] < keys[c]:
                c += 1
            if keys[c] >= k:
                break
            keys[i] = keys[c]
            vertices[i] = vertices[c]
            i = c
        keys[i] = k
        vertices[i] = x
        if d > distance[v]:
            continue
        for e in range(first[v], first[v + 1]):
            w = to[e]
            new = d + cost[e]
            if new < distance[w]:
                distance[w] = new
                i = size
                size += 1
                while i > 0:
                    p = (i - 1) // 2
                    if keys[p] <= new:
                        break
                    keys[i] = keys[p]
                    vertices[i] = vertices[p]
                    i = p
                keys[i] = new
                vertices[i] = w
    return distance


@case(lambda r: (*graph(r, 250, 16),))
@njit
def triangles(first, to):
    n = first.size - 1
    count = 0
    for v in range(n):
        for k in range(first[v], first[v + 1]):
            w = to[k]
            if w > v:
                i = first[v]
                j = first[w]
                while i < first[v + 1] and j < first[w + 1]:
                    if to[i] == to[j]:
                        if to[i] > w:
                            count += 1
                        i += 1
                        j += 1
                    elif to[i] < to[j]:
                        i += 1
                    else:
                        j += 1
    return count


@case(lambda r: (r.random((44, 44)),))
@njit
def floyd_warshall(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])


@case(lambda r: (r.integers(1, 100, (100, 100)),))
@njit
def floyd_branches(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]


@case(lambda r: (4000, r.integers(0, 4000, 20000), r.integers(0, 4000, 20000), r.random(20000)))
@njit
def bellman_ford(n, start, end, cost):
    distance = np.full(n, np.inf)
    distance[0] = 0.0
    for _ in range(n):
        changed = False
        for e in range(start.size):
            d = distance[start[e]] + cost[e]
            if d < distance[end[e]]:
                distance[end[e]] = d
                changed = True
        if not changed:
            break
    return distance


@case(lambda r: (r.random((120, 120)),))
@njit
def prim(cost):
    n = cost.shape[0]
    best = np.full(n, np.inf)
    used = np.zeros(n, np.bool_)
    best[0] = 0.0
    total = 0.0
    for _ in range(n):
        v = -1
        for i in range(n):
            if not used[i] and (v < 0 or best[i] < best[v]):
                v = i
        used[v] = True
        total += best[v]
        for i in range(n):
            if not used[i] and cost[v, i] < best[i]:
                best[i] = cost[v, i]
    return total


@njit
def place(n, row, columns, down, up):
    if row == n:
        return 1
    count = 0
    for c in range(n):
        if not columns[c] and not down[row + c] and not up[row - c + n]:
            columns[c] = down[row + c] = up[row - c + n] = True
            count += place(n, row + 1, columns, down, up)
            columns[c] = down[row + c] = up[row - c + n] = False
    return count


@case(lambda r: (7, np.zeros(7, "?"), np.zeros(15, "?"), np.zeros(15, "?")))
@njit
def queens(n, columns, down, up):
    return place(n, 0, columns, down, up)


@case(lambda r: (r.integers(0, 4, (60, 60)), (0, 0), (59, 59)))
@njit
def flood_steps(grid, start, goal):
    n, m = grid.shape
    distance = np.full((n, m), -1, np.int64)
    queue = [start]
    distance[start] = 0
    head = 0
    while head < len(queue):
        y, x = queue[head]
        head += 1
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            ny, nx = y + dy, x + dx
            if 0 <= ny < n and 0 <= nx < m and grid[ny, nx] != 0 and distance[ny, nx] < 0:
                distance[ny, nx] = distance[y, x] + 1
                queue.append((ny, nx))
    return distance[goal]
