#include <cstdio>

// Größe einer Matrix   
static const int size = 300;
static double a[size][size], b[size][size], c[size][size];

int main() {
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++) {
			a[i][j] = i + j;	
			b[i][j] = i - j;
		}
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			for (int k = 0; k < size; k++)
				c[i][j] += a[i][k] * b[k][j];
	printf("%f\n", c[size - 1][size - 1]);
}